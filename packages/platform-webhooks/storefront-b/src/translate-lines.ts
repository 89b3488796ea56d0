import { countItems, listCandidates, type OrderLine, readQuantity } from '@handover/platform-contract';
import type { LineItemPayload } from './payload.ts';

/** The lines that were bought, and what was odd about them. */
export function translateLines(items: readonly LineItemPayload[]): {
  readonly lines: readonly OrderLine[];
  readonly notes: readonly string[];
} {
  const notes: string[] = [];
  const bought = items.filter(({ quantity }) => readQuantity(quantity) !== 0);
  const lines = bought.map((item, position) => translateLine(item, `Line ${position + 1}`, notes));
  return { lines, notes };
}

function translateLine(item: LineItemPayload, name: string, notes: string[]): OrderLine {
  const quantity = countItems(item.quantity, name, notes);
  if (item.total === undefined) notes.push(`${name}: no readable total.`);
  return {
    candidates: listCandidates({ skus: [item.sku], vendorIds: [item.variation_id, item.product_id] }),
    quantity,
    amount: item.total ?? null,
    title: item.name ?? null,
  };
}

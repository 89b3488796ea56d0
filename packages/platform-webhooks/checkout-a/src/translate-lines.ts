import {
  countItems,
  lastSegment,
  listCandidates,
  type OrderLine,
  readQuantity,
} from '@handover/platform-contract';
import type { ItemPayload } from './payload.ts';

/** All lines: those of a bundle cost nothing, and are bought all the same. */
export function translateLines(items: readonly ItemPayload[]): {
  readonly lines: readonly OrderLine[];
  readonly notes: readonly string[];
} {
  const notes: string[] = [];
  const bought = items.filter(({ quantity }) => readQuantity(quantity) !== 0);
  const lines = bought.map((item, position) => translateLine(item, `Line ${position + 1}`, notes));
  return { lines, notes };
}

/** A SKU is there only if the merchant filled it in; the product's path always is. */
function translateLine(item: ItemPayload, name: string, notes: string[]): OrderLine {
  return {
    candidates: listCandidates({ skus: [item.sku, item.product, lastSegment(item.product)], vendorIds: [] }),
    quantity: countItems(item.quantity, name, notes),
    amount: item.subtotal ?? null,
    title: item.display ?? null,
  };
}

import {
  type Decimal,
  formatDecimal,
  listCandidates,
  multiplyDecimal,
  type OrderLine,
  parseDecimal,
  readQuantity,
  subtractDecimals,
} from '@handover/platform-contract';
import type { LineItemPayload } from './payload.ts';

/** The lines that still stand, and what was odd about them. */
export function translateLines(items: readonly LineItemPayload[]): {
  readonly lines: readonly OrderLine[];
  readonly notes: readonly string[];
} {
  const notes: string[] = [];
  const standing = items.filter((item) => !isRemoved(item));
  const lines = standing.map((item, position) => translateLine(item, `Line ${position + 1}`, notes));
  return { lines, notes };
}

export function isRemoved(item: LineItemPayload): boolean {
  return readQuantity(item.current_quantity) === 0 || readQuantity(item.quantity) === 0;
}

function translateLine(item: LineItemPayload, name: string, notes: string[]): OrderLine {
  const quantity = readQuantity(item.quantity);
  if (quantity === null) notes.push(`${name}: no readable quantity; taken as 1.`);
  const amount = computeAmount(item, quantity ?? 1, name, notes);
  return {
    candidates: listCandidates({ skus: [item.sku], vendorIds: [item.variant_id, item.product_id] }),
    quantity: quantity ?? 1,
    amount: amount && formatDecimal(amount),
    title: item.title ?? item.name ?? null,
  };
}

/** `price` is that of one unit; discounts are shared out to whole lines. */
function computeAmount(
  item: LineItemPayload,
  quantity: number,
  name: string,
  notes: string[],
): Decimal | null {
  const price = parseDecimal(item.price ?? '');
  if (!price) {
    notes.push(`${name}: no readable price.`);
    return null;
  }
  const discounts = (item.discount_allocations ?? []).map(({ amount }) => parseDecimal(amount ?? ''));
  if (discounts.includes(null)) notes.push(`${name}: a discount that cannot be read was left out.`);
  const gross = multiplyDecimal(price, quantity);
  return discounts.filter((discount) => discount !== null).reduce(subtractDecimals, gross);
}

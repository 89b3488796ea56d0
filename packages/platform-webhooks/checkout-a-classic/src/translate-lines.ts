import {
  countItems,
  lastSegment,
  listCandidates,
  MAX_LINES,
  type OrderLine,
  parseDecimal,
  splitNames,
} from '@handover/platform-contract';
import type { ItemPayload, NotificationPayload } from './payload.ts';

/** Stands for line breaks among the names of products: reading a payload makes blanks of them. */
export const SEPARATOR = ';';

/** The lines of the order, or the one line that this delivery is about. */
export function translateLines(payload: NotificationPayload): {
  readonly lines: readonly OrderLine[];
  readonly notes: readonly string[];
} {
  const notes: string[] = [];
  const { items = [], sku, productPath, productName, OrderProductNames } = payload;
  const isNamed = (sku ?? productPath ?? productName) !== undefined;
  const own =
    isNamed || OrderProductNames === undefined ? payload : { ...payload, productName: OrderProductNames };
  const lines: OrderLine[] = [];
  for (const [position, item] of (items.length > 0 ? items : [own]).entries()) {
    lines.push(...translateItem(item, `Item ${position + 1}`, notes));
    // Each text may name a thousand: what goes beyond any order is not read further.
    if (lines.length > MAX_LINES) break;
  }
  return { lines, notes };
}

/** One line, or one for each of several products that one text names: the first of them has the whole price. */
function translateItem(item: ItemPayload, name: string, notes: string[]): readonly OrderLine[] {
  const { sku, productPath, productName, price } = item;
  const quantity = countItems(item.quantity, name, notes);
  const paths = splitNames(productPath).map(lastSegment);
  const [names = []] = [splitNames(sku), paths, splitNames(productName)].filter(({ length }) => length > 0);
  const listedIn = splitNames(sku).length > 0 ? sku : paths.length > 0 ? undefined : productName;
  if (names.length < 2) {
    const skus = [names[0], paths.length === 1 ? paths[0] : undefined, productName];
    const candidates = listCandidates({ skus, vendorIds: [] });
    return [{ candidates, quantity, amount: price ?? null, title: productName ?? null }];
  }
  const isDecimal = parseDecimal(price ?? '') !== null;
  return names.map((text, position) => ({
    candidates: listCandidates({ skus: [text], vendorIds: [] }),
    quantity,
    amount: position === 0 ? (price ?? null) : isDecimal ? '0' : null,
    title: null,
    ...(listedIn === undefined ? {} : { listedIn }),
  }));
}

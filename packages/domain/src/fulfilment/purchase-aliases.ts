import type { DeliveryLine } from '../model/delivery.ts';
import type { Order, OrderLine } from '../model/order.ts';
import type { KnownPurchase, OrderSnapshot } from '../model/plan.ts';
import type { PurchaseAlias } from '../model/purchase.ts';
import { normalizeSku } from '../model/sku-mapping.ts';

/** What was delivered for a line of the order before, under the line's best name: it may stand for something else by now. */
export function purchasesByAlias(
  line: OrderLine,
  { purchases }: Pick<OrderSnapshot, 'purchases'>,
): readonly KnownPurchase[] {
  const name = nameLine(line);
  return purchases.filter(
    ({ purchaseAliases = [] }) => name !== null && purchaseAliases.some((known) => isSame(known, name)),
  );
}

/** The names that this decision finds purchases under for the first time. By key, so that all commits go the same way. */
export function listNewNames(
  order: Order,
  lines: readonly DeliveryLine[],
  known: Pick<OrderSnapshot, 'purchases'>,
): readonly PurchaseAlias[] {
  const found = new Map<string, PurchaseAlias>();
  for (const [at, line] of order.lines.entries()) {
    const purchaseId = lines[at]?.purchaseId ?? null;
    const name = nameLine(line);
    if (purchaseId === null || name === null) continue;
    if (purchasesByAlias(line, known).some(({ id }) => id === purchaseId)) continue;
    found.set(`${purchaseId} ${name.candidate} ${name.sku}`, { purchaseId, ...name });
  }
  return [...found.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, alias]) => alias);
}

type Name = Omit<PurchaseAlias, 'purchaseId'>;

/** Null for a line that has only a title: nothing is ever delivered for it. */
function nameLine({ candidates: [best] }: OrderLine): Name | null {
  return best ? { candidate: best.kind, sku: normalizeSku(best.value) } : null;
}

function isSame(a: Name, b: Name): boolean {
  return a.candidate === b.candidate && a.sku === b.sku;
}

import {
  ALL_PURCHASES,
  type FoundPurchase,
  normalizeEmail,
  type PurchaseQuery,
  readEmail,
} from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';

/** What was ordered with an address to which nothing belongs any more. */
export interface MovedPurchases {
  /** As the shop's orders say it. */
  readonly email: string;
  /** They belong to another address now. */
  readonly purchases: readonly FoundPurchase[];
}

/** More orders than a mistyped address gets before somebody corrects it. */
const MAX_ENTRIES = 20;

/**
 * Where nothing was found of one buyer, or of one whole address: what came with it and was moved by a correction. The shop's own
 * order still says the mistyped address, so that is what people look for. Null for any other query, and where no order names it: a sale
 * that was recorded by hand, or is deleted.
 */
export async function findMoved(
  ports: Pick<HttpPorts, 'customers' | 'deliveries' | 'purchases'>,
  orgId: string,
  query: Omit<PurchaseQuery, 'limit'>,
): Promise<MovedPurchases | null> {
  const email = await readAddress(ports, orgId, query);
  if (email === null) return null;
  const ofAll = { text: email, status: null, connectionId: null, before: null, limit: MAX_ENTRIES };
  const entries = await ports.deliveries.search(orgId, ofAll);
  const ids = entries
    .filter((entry) => entry.normalizedEmail === normalizeEmail(email))
    .flatMap(({ lines }) => lines.flatMap(({ purchaseId }) => purchaseId ?? []));
  if (ids.length === 0) return null;
  const these = { ...ALL_PURCHASES, ids: [...new Set(ids)], before: null, limit: MAX_ENTRIES };
  const purchases = await ports.purchases.search(orgId, these);
  return purchases.length === 0 ? null : { email, purchases };
}

async function readAddress(
  { customers }: Pick<HttpPorts, 'customers'>,
  orgId: string,
  {
    text,
    productId,
    customerId,
    source,
    receipt,
    period,
    onlyTests,
    isRevoked,
    isUnopened,
    isRefunded,
    before,
  }: Omit<PurchaseQuery, 'limit'>,
): Promise<string | null> {
  const isNarrowed = [
    productId,
    source,
    receipt,
    period?.from,
    period?.until,
    onlyTests,
    isRevoked,
    isUnopened,
    isRefunded,
    before,
  ];
  if (isNarrowed.some(Boolean)) return null;
  if (customerId === null) return readEmail(text);
  return text.trim() === '' ? ((await customers.find(orgId, customerId))?.email ?? null) : null;
}

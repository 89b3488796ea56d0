import { type FoundPurchase, normalizeEmail, type PurchaseQuery, readEmail } from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';

/** What was ordered with an address to which nothing belongs any more. */
export interface MovedPurchases {
  /** As the shop's orders say it. */
  readonly email: string;
  /** They belong to another address now. Empty: they were recorded by hand, or deleted. */
  readonly purchases: readonly FoundPurchase[];
}

/** More orders than a mistyped address gets before somebody corrects it. */
const MAX_ENTRIES = 20;

/**
 * Where nothing was found of one buyer, or of one whole address: what came with it and was moved by a correction. The shop's own
 * order still says the mistyped address, so that is what people look for. Null for any other query.
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
  const these = { ...OF_ALL, ids: [...new Set(ids)], limit: MAX_ENTRIES };
  return { email, purchases: ids.length === 0 ? [] : await ports.purchases.search(orgId, these) };
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
    before,
  }: Omit<PurchaseQuery, 'limit'>,
): Promise<string | null> {
  const isNarrowed = [productId, source, receipt, period?.from, period?.until, onlyTests, isRevoked, before];
  if (isNarrowed.some(Boolean)) return null;
  if (customerId === null) return readEmail(text);
  return text.trim() === '' ? ((await customers.find(orgId, customerId))?.email ?? null) : null;
}

const OF_ALL = {
  text: '',
  productId: null,
  customerId: null,
  source: null,
  receipt: null,
  before: null,
} as const;

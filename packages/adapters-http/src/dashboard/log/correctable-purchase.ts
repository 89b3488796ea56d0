import { ALL_PURCHASES, type OpenedLogEntry, type Purchases } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { linkButton } from '../parts/button.ts';

/**
 * The first purchase of an entry whose receipt was refused and whose address can be corrected: one that is revoked is mailed to
 * nobody. The other products of its order move with it. Null if there is none.
 */
export async function findCorrectable(
  purchases: Pick<Purchases, 'search'>,
  orgId: string,
  { lines, receipts }: Pick<OpenedLogEntry, 'lines' | 'receipts'>,
): Promise<string | null> {
  const ids = [...new Set(lines.flatMap(({ purchaseId }) => purchaseId ?? []))];
  if (ids.length === 0 || receipts[0]?.status !== 'refused') return null;
  const query = { ...ALL_PURCHASES, receipt: 'refused', ids, before: null, limit: ids.length } as const;
  const found = await purchases.search(orgId, query);
  const correctable = new Set(found.filter(({ revokedAt }) => revokedAt === null).map(({ id }) => id));
  return ids.find((id) => correctable.has(id)) ?? null;
}

/** Beside a receipt that was refused for good. */
export function correctAddressLink(purchaseId: string | null): Html | null {
  if (purchaseId === null) return null;
  return html`<div class="notice-actions">${linkButton(`/dashboard/purchases/${purchaseId}/address`, { words: 'Correct the address', small: true })}</div>`;
}

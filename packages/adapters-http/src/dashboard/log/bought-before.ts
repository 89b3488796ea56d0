import {
  ALL_PURCHASES,
  evaluatePurchase,
  type FoundPurchase,
  type OpenedLogEntry,
  type Purchases,
} from '@handover/domain';
import { type Html, html } from '@handover/html';
import { statusBadge } from '../parts/badge.ts';
import { longText } from '../parts/long-text.ts';
import { formatMoney } from '../parts/money.ts';
import { rowLink, table } from '../parts/table.ts';

/** What the order of an ignored entry has bought: nothing in the entry changes it, a refund least of all. */
export async function findBoughtBefore(
  purchases: Pick<Purchases, 'search'>,
  orgId: string,
  { status, platform, orderId, orderNumber, connectionId }: OpenedLogEntry,
): Promise<readonly FoundPurchase[]> {
  if (status !== 'ignored') return [];
  const page = { ...ALL_PURCHASES, before: null, limit: MAX_SHOWN };
  if (orderId !== null) return purchases.search(orgId, { ...page, ofOrder: { connectionId, orderId } });
  if (orderNumber === null) return [];
  // A refund may name its order by the number alone.
  const found = await purchases.search(orgId, { ...page, text: orderNumber, source: platform });
  return found.filter((purchase) => purchase.orderNumber === orderNumber);
}

/** An order has few products. */
const MAX_SHOWN = 20;

/** Says that a refund or a cancellation takes nothing back, and where to do it. */
export function boughtBeforeSection(purchases: readonly FoundPurchase[], now: Date): Html | null {
  if (purchases.length === 0) return null;
  const isWorking = purchases.some(({ revokedAt }) => revokedAt === null);
  const words = isWorking
    ? 'This entry changes nothing of it: buyers keep what is not revoked. If the order was refunded or cancelled, open the purchase and revoke it.'
    : 'It is revoked: its links do not work.';
  return html`<section class="log-section" aria-labelledby="bought"><div class="log-section-head"><h3 id="bought">What this order bought</h3></div>
<p class="log-reason">${words}</p>
${table({
  label: 'What this order bought',
  rows: purchases,
  columns: [
    {
      head: 'Product',
      cell: ({ id, productName }) => rowLink(`/dashboard/purchases/${id}`, productName),
    },
    { head: 'Buyer', cell: ({ customerName }) => html`<bdi>${longText(customerName)}</bdi>` },
    { head: 'Status', cell: (purchase) => statusBadge('purchase', evaluatePurchase(purchase, now)) },
    { head: 'Amount', number: true, cell: ({ amount, currency }) => formatMoney(amount, currency) },
  ],
})}</section>`;
}

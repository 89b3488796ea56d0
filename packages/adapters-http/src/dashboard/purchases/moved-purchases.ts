import { evaluatePurchase, type FoundPurchase } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { statusBadge } from '../parts/badge.ts';
import { longText } from '../parts/long-text.ts';
import { rowLink, table } from '../parts/table.ts';
import type { MovedPurchases } from './find-moved.ts';
import { numberOf } from './source-words.ts';

/** What came with an address that was corrected since, and whose it is now. */
export function movedPurchases({ email, purchases }: MovedPurchases, now: Date): Html {
  const columns = [
    {
      head: 'Order',
      cell: (purchase: FoundPurchase) =>
        rowLink(`/dashboard/purchases/${purchase.id}`, numberOf(purchase), purchase.productName),
    },
    {
      head: 'Belongs to',
      narrow: 'line' as const,
      cell: ({ customerName, customerEmail }: FoundPurchase) =>
        html`<span class="two-lines">${longText(customerName)}<span class="muted small">${longText(customerEmail)}</span></span>`,
    },
    {
      head: 'Status',
      narrow: 'corner' as const,
      cell: (purchase: FoundPurchase) => statusBadge('purchase', evaluatePurchase(purchase, now)),
    },
  ];
  return html`<p class="of-buyer">Nothing belongs to <strong>${longText(email)}</strong> any more: the address was corrected. This was ordered with it.</p>
<section class="card">${table({ label: 'Purchases that were ordered with this address', rows: purchases, columns })}</section>`;
}

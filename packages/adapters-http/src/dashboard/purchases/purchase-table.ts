import { evaluatePurchase } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { refundBadge, refundMark, statusBadge, testBadge } from '../parts/badge.ts';
import { buyerAddress } from '../parts/buyer-address.ts';
import { longText } from '../parts/long-text.ts';
import { formatMoney } from '../parts/money.ts';
import { pickRow, rowLink, table } from '../parts/table.ts';
import { relativeTime, shortDay } from '../parts/time.ts';
import type { FilteredPurchases } from './purchase-filters.ts';
import { formatShop, numberOf } from './source-words.ts';

/** The rows of the list of purchases, which can be selected. */
export function purchaseTable({
  found,
  platforms,
  query,
  days,
  now,
}: FilteredPurchases & { readonly now: Date }): Html {
  return table({
    label: 'Purchases',
    rows: found,
    columns: [
      {
        head: 'Order',
        brief: (purchase) => numberOf(purchase),
        cell: (purchase) =>
          pickRow(
            purchase.id,
            `${numberOf(purchase)}, ${purchase.productName}`,
            rowLink(`/dashboard/purchases/${purchase.id}`, numberOf(purchase), purchase.productName),
          ),
      },
      {
        head: 'Buyer',
        narrow: 'title',
        cell: ({ id, customerName, customerEmail, productName, receiptStatus, revokedAt }) =>
          html`<span class="two-lines"><span><span class="row-title">${longText(customerName)}</span><span class="only-narrow"> · ${longText(productName)}</span></span><span class="muted small only-wide">${buyerAddress(customerEmail)}</span>${receiptStatus === 'refused' && revokedAt === null && html`<a class="link small row-action" href="/dashboard/purchases/${id}/address">Correct the address<span class="visually-hidden"> of ${customerName}</span></a>`}</span>`,
      },
      { head: 'Product', narrow: 'hidden', cell: ({ productName }) => longText(productName) },
      {
        head: 'From',
        cell: (purchase) =>
          html`<span class="shop-marks"><span class="muted">${longText(formatShop(platforms, purchase))}</span> ${testBadge(purchase)}</span>`,
      },
      {
        head: 'Status',
        narrow: 'corner',
        cell: (purchase) =>
          html`<span class="badges">${statusBadge('purchase', evaluatePurchase(purchase, now))}${purchase.refundedAt && html`<span class="only-wide">${refundBadge(purchase)}</span>`}</span>`,
      },
      {
        head: 'Amount',
        number: true,
        narrow: 'end',
        cell: ({ amount, currency, refundedAt }) =>
          html`${refundedAt && html`<span class="only-narrow">${refundMark({ refundedAt })} </span>`}${formatMoney(amount, currency)}`,
      },
      {
        head: query.refundedIn ? 'Refunded' : 'When',
        number: true,
        // A list of chosen days shows the day of each purchase.
        cell: ({ createdAt, refundedAt }) => {
          const at = (query.refundedIn && refundedAt) || createdAt;
          return html`<span class="muted">${days.from || days.to ? shortDay(at) : relativeTime(at, now)}</span>`;
        },
      },
    ],
  });
}

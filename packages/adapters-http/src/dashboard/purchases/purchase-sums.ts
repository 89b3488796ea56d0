import type { PurchaseSum } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { counted, formatMoney } from '../parts/money.ts';

/** "4 purchases: 147.00 EUR, 49.00 USD". */
export function formatSums(sums: readonly PurchaseSum[]): string {
  const count = countAll(sums);
  return count === 0 ? 'No sales' : `${counted(count, 'purchase')}: ${formatAmounts(sums)}`;
}

export function countAll(sums: readonly PurchaseSum[]): number {
  return sums.reduce((all, { purchases }) => all + purchases, 0);
}

export function formatAmounts(sums: readonly PurchaseSum[]): string {
  return sums.map(({ amount, currency }) => formatMoney(amount, currency)).join(', ');
}

/**
 * What of a sum a shop gave money back for, with a link to the purchases where they have an address. A shop need not
 * tell of its refunds, so that none is known says little.
 */
export function formatRefunds(
  refunded: readonly PurchaseSum[] | 'took-too-long' | null,
  address: string | null,
): Html {
  const isCounted = refunded !== null && refunded !== 'took-too-long';
  const count = isCounted ? countAll(refunded) : 0;
  if (!isCounted || count === 0) return html`Refunds made in your shop are not subtracted.`;
  const sold = `${counted(count, 'purchase')}, sold for ${formatAmounts(refunded)}`;
  const [refund, verb] = count === 1 ? ['a refund', 'is'] : ['refunds', 'are'];
  const named = address === null ? sold : html`<a class="link" href="${address}">${sold}</a>`;
  return html`Your shop reported ${refund} for ${named}, which ${verb} not subtracted.`;
}

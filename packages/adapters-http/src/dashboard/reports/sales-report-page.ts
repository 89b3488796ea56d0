import type { ProductSum, PurchaseSum } from '@handover/domain';
import { type Html, html } from '@handover/html';
import type { Answer } from '../dashboard-route.ts';
import { linkButton } from '../parts/button.ts';
import { emptyState } from '../parts/empty-state.ts';
import { alertIcon, purchaseIcon } from '../parts/icons.ts';
import { daysInTitle, listTitle } from '../parts/list-title.ts';
import { counted, formatCount, formatMoney } from '../parts/money.ts';
import { rowLink, table } from '../parts/table.ts';
import { countAll, formatAmounts, formatRefunds, formatSums } from '../purchases/purchase-sums.ts';
import type { PurchaseStatus } from '../purchases/read-purchase-query.ts';
import type { SourceChoice } from '../purchases/source-words.ts';
import { type AskedPeriod, periodForm, periodLinks, type Report, reportHeader } from './report-frame.ts';

export const SALES: Report = {
  path: '/dashboard/reports/sales',
  csv: '/dashboard/reports/sales.csv',
  meta: 'What each product sold, by the day of the purchase',
};

/** More rows than anybody reads. */
export const MAX_PRODUCT_ROWS = 1000;

/** The sums of the purchases with a refund, of each product and currency (`keyOf`). */
export type RefundedProducts = ReadonlyMap<string, ProductSum> | 'took-too-long';

export interface SalesReport {
  readonly period: AskedPeriod;
  /** What all products add up to. */
  readonly sums: readonly PurchaseSum[];
  /** The rows of a product follow each other. One more than `MAX_PRODUCT_ROWS` says that there are more. */
  readonly products: readonly ProductSum[];
  readonly refunds: {
    /** What a shop gave money back for, of what was sold in the period. */
    readonly sums: readonly PurchaseSum[] | 'took-too-long';
    readonly products: RefundedProducts;
    /** What a shop said in the period that it gave money back for, whenever it was sold. */
    readonly reported: readonly PurchaseSum[] | 'took-too-long';
  };
  readonly sources: readonly SourceChoice[];
  /** See `netAmounts`. */
  readonly net: string | null;
  readonly now: Date;
  readonly expectsSemicolons: boolean;
}

type Shown = Pick<SalesReport, 'period' | 'now' | 'expectsSemicolons'>;

/** What authors are paid by, and what a month brought: each product with its number and its sums. */
export function salesReportPage(report: SalesReport): Answer {
  return frame(report, found(report));
}

/** Where there are more purchases than can be added up in time. */
export function tooManySalesPage(shown: Shown): Answer {
  return frame(shown, tooMany());
}

function frame({ period, now, expectsSemicolons }: Shown, content: Html): Answer {
  const main = html`${reportHeader(SALES, period, expectsSemicolons)}${periodForm(SALES, period)}${periodLinks(SALES, period, now)}
${content}`;
  const days = daysInTitle(period);
  return { kind: 'page', title: 'Reports', windowTitle: listTitle('Sales report', [days]), main };
}

function found({ period, sums, products, refunds, sources, net }: SalesReport): Html {
  const reported = formatReported(refunds.reported, period);
  if (products.length === 0)
    return html`${reported && html`<div class="list-sums"><p>${reported}</p></div>`}<section class="card">${nothingSold()}</section>`;
  const shown = products.slice(0, MAX_PRODUCT_ROWS);
  const isCut = products.length > shown.length;
  return html`<div class="list-sums"><p><strong>${formatSums(sums)}.</strong> <span class="muted">Revoked purchases are included, and no test orders sent from here. ${formatRefunds(refunds.sums, refundsAddress(period, 'refunded'))}${reported && html` ${reported}`}${net && ` ${net}`}${isCut && ' Only the products that sold most have a row.'}</span></p>${bySource(sources, period)}</div>
<section class="card">${table({ label: 'Sales by product', rows: shown, columns: columnsOf(period, refunds.products) })}</section>`;
}

/** The list of purchases adds up one source, for those who keep books by shop. */
function bySource(sources: readonly SourceChoice[], period: AskedPeriod): Html {
  const links = sources.map(({ value, words }) => {
    const address = new URLSearchParams({ source: value, ...period });
    return html`<a class="link" href="/dashboard/purchases?${address.toString()}">${words}</a>`;
  });
  return html`<p class="muted">Totals of ${links.map((link, index) => html`${index > 0 && ' · '}${link}`)}</p>`;
}

/** Books are closed: a refund of what was sold before belongs to the day on which it was made. */
function formatReported(sums: SalesReport['refunds']['reported'], period: AskedPeriod): Html | null {
  if (sums === 'took-too-long' || countAll(sums) === 0) return null;
  const words = `${counted(countAll(sums), 'purchase')}, sold for ${formatAmounts(sums)}`;
  return html`<span class="muted">Refunds reported in these days, also of earlier sales: <a class="link" href="${refundsAddress(period, 'refund-days')}">${words}</a>.</span>`;
}

function refundsAddress(period: AskedPeriod, status: PurchaseStatus): string {
  return `/dashboard/purchases?${new URLSearchParams({ status, ...period })}`;
}

function columnsOf(period: AskedPeriod, refunded: RefundedProducts) {
  const purchasesOf = (productId: string) =>
    `/dashboard/purchases?${new URLSearchParams({ product: productId, ...period })}`;
  return [
    {
      head: 'Product',
      cell: ({ productId, productName, currency }: ProductSum) =>
        rowLink(purchasesOf(productId), productName, currency ?? 'no currency'),
    },
    {
      head: 'Purchases',
      number: true,
      narrow: 'line' as const,
      cell: ({ purchases }: ProductSum) =>
        html`${formatCount(purchases)}<span class="only-narrow"> ${purchases === 1 ? 'purchase' : 'purchases'}</span>`,
    },
    {
      head: 'Amount',
      number: true,
      narrow: 'corner' as const,
      cell: ({ amount, currency }: ProductSum) => html`${formatMoney(amount, currency)}`,
    },
    {
      head: 'Of which revoked',
      number: true,
      narrow: 'line' as const,
      cell: ({ revoked, revokedAmount, currency }: ProductSum) =>
        revoked === 0
          ? html`<span class="muted">None<span class="only-narrow"> revoked</span></span>`
          : html`${formatCount(revoked)}<span class="only-narrow"> revoked</span> (${formatMoney(revokedAmount, currency)})`,
    },
    {
      head: 'Of which with a refund',
      number: true,
      narrow: 'line' as const,
      cell: (row: ProductSum) => {
        if (refunded === 'took-too-long') return html`<span class="muted">Refunds not counted</span>`;
        const found = refunded.get(keyOf(row));
        return found === undefined
          ? html`<span class="muted">None known<span class="only-narrow"> with a refund</span></span>`
          : html`${formatCount(found.purchases)}<span class="only-narrow"> with a refund</span> (${formatMoney(found.amount, row.currency)})`;
      },
    },
  ];
}

/** A product has a row for each of its currencies. */
export function keyOf({ productId, currency }: Pick<ProductSum, 'productId' | 'currency'>): string {
  return `${productId} ${currency ?? ''}`;
}

function nothingSold(): Html {
  return emptyState({
    icon: purchaseIcon,
    title: 'No sales in this period',
    sentence: 'Test orders are not counted. Choose other days above.',
    actions: [linkButton('/dashboard/purchases', { words: 'All purchases' })],
  });
}

function tooMany(): Html {
  return html`<section class="card">${emptyState({
    icon: alertIcon,
    title: 'Too many purchases to add up here',
    sentence: 'Choose fewer days above, or add up the purchases as CSV.',
    actions: [linkButton('/dashboard/purchases', { words: 'Purchases' })],
  })}</section>`;
}

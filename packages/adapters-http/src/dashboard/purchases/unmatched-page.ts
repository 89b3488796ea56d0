import type { Platform, Platforms, ProductListRow, UnmatchedSku } from '@handover/domain';
import { type Html, html } from '@handover/html';
import type { Answer } from '../dashboard-route.ts';
import { linkButton, submitButton } from '../parts/button.ts';
import { emptyState } from '../parts/empty-state.ts';
import { fieldsOf, hiddenField, postForm, selectField, statusOf } from '../parts/form.ts';
import { checkIcon, tagIcon } from '../parts/icons.ts';
import { longText } from '../parts/long-text.ts';
import { counted } from '../parts/money.ts';
import { noticePanel } from '../parts/notice.ts';
import { pageHeader } from '../parts/page-header.ts';
import { olderLink, rowLink, table } from '../parts/table.ts';
import { relativeTime } from '../parts/time.ts';
import { type WaitingOrders, waitingOrders } from './waiting-orders.ts';

export interface UnmatchedList {
  readonly found: readonly UnmatchedSku[];
  /** The start of the next page; null on the last. */
  readonly older: string | null;
  readonly now: Date;
  readonly platforms: Platforms;
}

export function unmatchedListPage({ found, older, now, platforms }: UnmatchedList): Answer {
  const rows = table({
    label: 'Unmatched SKUs',
    rows: found,
    columns: [
      {
        head: 'SKU',
        cell: ({ sku, key }) =>
          html`<span class="mono">${rowLink(`/dashboard/purchases/unmatched/map?${new URLSearchParams({ sku: key })}`, sku)}</span>`,
      },
      {
        head: 'Waiting',
        cell: ({ entries }) => html`${counted(entries, 'order')}<span class="only-narrow muted"> ·</span>`,
      },
      {
        head: 'From',
        cell: (row) => row.platforms.map((platform) => platforms.vendorOf(platform)).join(', '),
      },
      {
        head: 'Newest',
        number: true,
        cell: ({ newest }) => html`<span class="muted">${relativeTime(newest.receivedAt, now)}</span>`,
      },
    ],
  });
  const main = html`${pageHeader({
    title: 'Unmatched SKUs',
    back: { href: '/dashboard/purchases', words: 'Purchases' },
    meta: found.length > 0 ? ['Orders name these SKUs, and no product has them', 'Open one to map it'] : [],
  })}<section class="card">${found.length === 0 ? allMatched() : rows}${older === null ? '' : olderLink(`/dashboard/purchases/unmatched?${older}`)}</section>`;
  return { kind: 'page', title: 'Unmatched SKUs', main };
}

function allMatched(): Html {
  return emptyState({
    icon: checkIcon,
    title: 'Every SKU is matched',
    sentence: 'A SKU that no product has appears here, for you to map.',
    actions: [linkButton('/dashboard/purchases', { words: 'Back to purchases' })],
  });
}

export type MapProblems = Partial<Readonly<Record<'productId' | 'platform', string>>>;

interface MapSku {
  readonly sku: string;
  /** How many entries wait, on all platforms and on each platform that sent the SKU. */
  readonly waiting: number;
  readonly who: WaitingOrders;
  readonly byPlatform: readonly { readonly platform: Platform; readonly waiting: number }[];
  readonly products: readonly ProductListRow[];
  readonly form: { readonly productId: string; readonly platform: string };
  /** A sentence per field. */
  readonly problems: MapProblems;
  readonly csrfToken: string;
  readonly platforms: Platforms;
  readonly now: Date;
}

/** One SKU, to be mapped to a product or ignored. Each option says first how many orders it completes. */
export function mapSkuPage(mapSku: MapSku): Answer {
  const { sku, waiting, who, problems, now } = mapSku;
  const main = html`${pageHeader({
    title: sku,
    back: { href: '/dashboard/purchases/unmatched', words: 'Unmatched SKUs' },
    meta: [
      ...(who.title === null ? [] : [html`The shop calls it “<bdi>${longText(who.title)}</bdi>”`]),
      waiting === 0
        ? 'No orders are waiting'
        : html`${counted(waiting, 'order')} ${waiting === 1 ? 'is' : 'are'} waiting`,
    ],
  })}<div class="stack narrow">${noticePanel({
    tone: 'pending',
    icon: tagIcon,
    title: waiting === 0 ? 'Mapping delivers later orders' : `Mapping delivers ${counted(waiting, 'order')}`,
    sentence:
      'Waiting orders are processed again at once, and later ones are delivered. A draft product holds them until you publish it.',
  })}
<section class="card"><header><h2>Map it to a product</h2></header><section>${mapForm(mapSku)}</section></section>
<section class="card"><header><h2>Not a Handover product</h2></header><section>${notOursForm(mapSku)}</section></section>
${waitingOrders(who, sku, waiting, now)}</div>`;
  return { kind: 'page', status: statusOf(problems), title: `Map ${sku}`, main };
}

/** Whether the page showed orders that wait. */
export const SHOWED_WAITING = 'waiting';

function skuFields({ sku, waiting }: MapSku): Html {
  return html`${hiddenField('sku', sku)}${hiddenField(SHOWED_WAITING, waiting > 0 ? 'yes' : 'no')}`;
}

function mapForm(mapSku: MapSku): Html {
  const { products, form, problems, byPlatform, waiting, csrfToken, platforms } = mapSku;
  const options = products.map(({ product }) => ({
    value: product.id,
    words: product.status === 'draft' ? `${product.name} (draft)` : product.name,
  }));
  const field = fieldsOf(form, problems);
  const choices = [
    { value: '', words: `All platforms (${counted(waiting, 'order')})` },
    ...byPlatform.map((one) => ({
      value: one.platform,
      words: `Only ${platforms.vendorOf(one.platform)} (${counted(one.waiting, 'order')})`,
    })),
  ];
  const body = html`${skuFields(mapSku)}
${selectField({ ...field('productId', 'Product'), options: [{ value: '', words: 'Choose a product' }, ...options] })}
${selectField({ ...field('platform', 'Applies to'), options: choices })}
<div class="form-actions">${submitButton({ words: waiting === 0 ? 'Map it' : `Map and deliver ${counted(waiting, 'order')}`, primary: true })}</div>`;
  return postForm({ action: '/dashboard/purchases/unmatched/map', csrfToken, body });
}

function notOursForm(mapSku: MapSku): Html {
  const body = html`${skuFields(mapSku)}
<p class="muted">We stop flagging it and alerting you, on every platform. Waiting orders are completed without it.</p>
<div class="form-actions">${submitButton({ words: 'Ignore this SKU' })}</div>`;
  return postForm({
    action: '/dashboard/purchases/unmatched/not-ours',
    csrfToken: mapSku.csrfToken,
    body,
  });
}

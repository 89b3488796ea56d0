import type { LogEntry, Platforms } from '@handover/domain';
import { type Html, html } from '@handover/html';
import type { Answer } from '../dashboard-route.ts';
import { statusBadge } from '../parts/badge.ts';
import { linkButton, submitButton } from '../parts/button.ts';
import { emptyState } from '../parts/empty-state.ts';
import { hiddenFields, postForm } from '../parts/form.ts';
import { webhookIcon } from '../parts/icons.ts';
import { longText } from '../parts/long-text.ts';
import { pageHeader } from '../parts/page-header.ts';
import { olderLink, pickRow, rowLink, table } from '../parts/table.ts';
import type { ListPage } from '../take-page.ts';
import { formatEntry, nameOfEntry, titleOfEntry } from './format-entry.ts';
import { addressOf, fieldsOf, type LogView } from './log-view.ts';

const ADDRESS = '/dashboard/webhook-log/deliver';

/** Selects orders that failed or are held, and says what processing them again does. */
export function deliverAgainPage({
  view,
  found: entries,
  isMore,
  csrfToken,
  platforms,
}: ListPage<LogEntry> & {
  readonly view: LogView;
  readonly csrfToken: string;
  readonly platforms: Platforms;
}): Answer {
  const title = 'Deliver orders again';
  const back = { href: addressOf({ ...view, before: null }), words: 'Webhook log' };
  const orders = entries.filter(({ orderId }) => orderId !== null);
  const others = entries.length - orders.length;
  const last = entries.at(-1)?.id ?? null;
  const older = isMore
    ? olderLink(addressOf({ ...view, before: last }).replace('/webhook-log', '/webhook-log/deliver'))
    : '';
  const body = html`<div class="bulk-bar"><label data-by-script><input type="checkbox" data-select-page><span class="visually-hidden">Select all on this page</span></label>${submitButton({ words: 'Deliver again', small: true, primary: true })}<span class="muted" role="status" data-selected></span></div>${listOf(platforms, orders)}${older}${isMore && html`<input type="hidden" name="next" value="${last ?? ''}">`}<input type="hidden" name="shown" value="${orders.length}">${hiddenFields(fieldsOf({ ...view, before: null }))}`;
  const explained = html`<p class="before-list">Selected orders are processed as if they came in now. What can be delivered is, and its receipt goes out. What was delivered before stays as it is, and no receipt is sent twice.${others > 0 && ` Left out: ${others} without an order in them.`}</p>`;
  const form = html`<div class="card" data-select>${postForm({ action: ADDRESS, csrfToken, body })}</div>`;
  const main = html`${pageHeader({ title, back })}${orders.length > 0 ? html`${explained}${form}` : html`<section class="card">${none(back.href)}</section>`}`;
  return { kind: 'page', title, main };
}

function listOf(platforms: Platforms, entries: readonly LogEntry[]): Html {
  return table<LogEntry>({
    label: 'Orders',
    rows: entries,
    columns: [
      {
        head: 'Order',
        cell: (entry) =>
          pickRow(
            `${entry.id}:${entry.attempts}`,
            titleOfEntry(platforms, entry),
            rowLink(`/dashboard/webhook-log/${entry.id}`, nameOfEntry(entry)),
          ),
      },
      { head: 'Address', narrow: 'line', cell: (entry) => longText(entry.normalizedEmail ?? 'No address') },
      {
        head: 'Why',
        narrow: 'line',
        cell: (entry) => html`${platforms.vendorOf(entry.platform)} · ${formatEntry(entry).words}`,
      },
      { head: 'Status', narrow: 'corner', cell: (entry) => statusBadge('delivery', entry.status) },
    ],
  });
}

function none(href: string): Html {
  return emptyState({
    icon: webhookIcon,
    title: 'Nothing to deliver again',
    sentence: 'Orders that failed or are held can be. There is none on this list.',
    actions: [linkButton(href, { words: 'Back to the log' })],
  });
}

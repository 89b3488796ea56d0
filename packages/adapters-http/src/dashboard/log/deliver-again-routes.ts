import {
  type LogCounts,
  type LogEntry,
  MAX_COUNTED,
  MAX_RERUN,
  type Platforms,
  rerunEntries,
  type SeenEntry,
} from '@handover/domain';
import { type Html, html } from '@handover/html';
import type { HttpPorts } from '../../http-ports.ts';
import { type Answer, action, type DashboardRoute, page } from '../dashboard-route.ts';
import { statusBadge } from '../parts/badge.ts';
import { linkButton, submitButton } from '../parts/button.ts';
import { emptyState } from '../parts/empty-state.ts';
import { hiddenField, hiddenFields, postForm } from '../parts/form.ts';
import { webhookIcon } from '../parts/icons.ts';
import { longText } from '../parts/long-text.ts';
import { counted } from '../parts/money.ts';
import { pageHeader } from '../parts/page-header.ts';
import { selection } from '../parts/select-bar.ts';
import { olderLink, pickRow, rowLink, table } from '../parts/table.ts';
import { type ListPage, takePage } from '../take-page.ts';
import { formatEntry, nameOfEntry, titleOfEntry } from './format-entry.ts';
import { addressOf, deliverAddressOf, EVERYTHING, fieldsOf, type LogView, readView } from './log-view.ts';

type Ports = Pick<HttpPorts, 'clock' | 'deliveries' | 'ids' | 'openDeliveries' | 'platforms'>;

/** Processes many failed or held orders again. The form holds each as it was seen, so that two presses are one. */
export function deliverAgainRoutes(ports: Ports): readonly DashboardRoute[] {
  return [
    page('/webhook-log/deliver', 'admin', async ({ orgId, query, csrfToken }) => {
      const asked = readView(query);
      const view = { ...asked, status: asked.status === 'held' ? ('held' as const) : ('error' as const) };
      const shown = await takePage((limit) => ports.deliveries.search(orgId, { ...view, limit }), MAX_RERUN);
      return deliverAgainPage({ ...shown, view, csrfToken, platforms: ports.platforms });
    }),

    action('/webhook-log/deliver', 'admin', async ({ orgId, by }, form) => {
      const asked = form.getAll('id').map(readSeen);
      const view = { ...readView(form), before: form.get('next') || null };
      // Counted before their jobs run: then those processed now are among them.
      const counts = await ports.deliveries.count(orgId, view.connectionId);
      const queued = await rerunEntries(ports, orgId, asked, by);
      if (asked.length === 0) {
        const toast = { title: 'No order was selected', sentence: 'Select orders by the boxes before them.' };
        return { kind: 'redirect', to: '/dashboard/webhook-log/deliver', toast };
      }
      const left = asked.length - queued;
      const rest =
        left === 0 ? '' : ` ${counted(left, 'other')} left alone: processed since, or their body is removed.`;
      const title = queued === 0 ? 'Nothing to process' : `${counted(queued, 'order')} processed again`;
      return {
        kind: 'redirect',
        to: goOn(view, asked.length === Number(form.get('shown'))),
        toast: {
          title,
          sentence: `The log shows what becomes of each.${rest}${sayMore(view, counts, queued)}`,
        },
      };
    }),
  ];
}

/** From a page that was selected as a whole to the next one. `before`: the last entry of this page, if there are more. */
function goOn(view: LogView, isWholePage: boolean): string {
  if (view.before === null) return addressOf(EVERYTHING);
  return deliverAddressOf(isWholePage ? view : { ...view, before: null });
}

/** A search does not count all that it finds. */
function sayMore({ text, status, cause, before }: LogView, counts: LogCounts, queued: number): string {
  if (before === null) return '';
  const isCounted = cause === null && (status === 'held' || status === 'error');
  const left = isCounted ? counts[status] - queued : 0;
  const some = text === '' && left > 0 && left < MAX_COUNTED ? counted(left, 'order') : 'More orders';
  return ` ${some} can be delivered again: go on with the next ones below.`;
}

function readSeen(field: string): SeenEntry {
  const [deliveryId = '', attempts = ''] = field.split(':');
  return { deliveryId, attempts: /^\d{1,9}$/.test(attempts) ? Number(attempts) : -1 };
}

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
  const older = isMore ? olderLink(deliverAddressOf({ ...view, before: last })) : '';
  const deliver = submitButton({ words: 'Deliver again', small: true, primary: true });
  const body = html`<div class="bulk-bar">${selection(deliver)}</div>${listOf(platforms, orders)}${older}${isMore && hiddenField('next', last ?? '')}${hiddenField('shown', String(orders.length))}${hiddenFields(fieldsOf({ ...view, before: null }))}`;
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
        brief: nameOfEntry,
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

import { type LogEntry, normalizeSku, type OrderReader } from '@handover/domain';
import { type Html, html } from '@handover/html';
import type { HttpPorts } from '../../http-ports.ts';
import { nameOfEntry } from '../log/format-entry.ts';
import { longText } from '../parts/long-text.ts';
import { rowLink, table } from '../parts/table.ts';
import { relativeTime } from '../parts/time.ts';

/** Orders that name a SKU that no product has. */
export interface WaitingOrders {
  /** The newest of them. */
  readonly entries: readonly LogEntry[];
  /** What the shop calls the thing, as the newest order says it; null where it says nothing, or is no longer kept. */
  readonly title: string | null;
}

const MAX_SHOWN = 10;

export async function findWaitingOrders(
  { deliveries, openDeliveries }: Pick<HttpPorts, 'deliveries' | 'openDeliveries'>,
  orders: OrderReader,
  orgId: string,
  /** Normalized. */
  sku: string,
): Promise<WaitingOrders> {
  const entries = await openDeliveries.listWithSku(orgId, sku, MAX_SHOWN);
  const [newest] = entries;
  const stored = newest ? await deliveries.find(orgId, newest.id) : null;
  const order = stored?.body ? orders.read(stored) : null;
  const line = order?.lines.find(({ candidates }) =>
    candidates.some(({ value }) => normalizeSku(value) === sku),
  );
  return { entries, title: line?.title ?? null };
}

/** The orders that wait, so that a person can find out what was bought. `waiting`: how many there are in all. */
export function waitingOrders(
  { entries }: WaitingOrders,
  sku: string,
  waiting: number,
  now: Date,
): Html | null {
  if (entries.length === 0) return null;
  const rows = table({
    label: 'Waiting orders with this SKU',
    rows: entries,
    columns: [
      { head: 'Order', cell: (entry) => rowLink(`/dashboard/webhook-log/${entry.id}`, nameOfEntry(entry)) },
      {
        head: 'Buyer',
        narrow: 'line',
        cell: ({ normalizedEmail }) =>
          normalizedEmail === null ? html`<span class="muted">No address</span>` : longText(normalizedEmail),
      },
      {
        head: 'When',
        number: true,
        narrow: 'corner',
        cell: ({ receivedAt }) => html`<span class="muted">${relativeTime(receivedAt, now)}</span>`,
      },
    ],
  });
  const all = `/dashboard/webhook-log?${new URLSearchParams({ q: sku })}`;
  const more =
    waiting > entries.length
      ? html`<section><a class="link" href="${all}">See all in the webhook log</a></section>`
      : '';
  return html`<section class="card"><header><h2>Who ordered it</h2></header>${rows}${more}</section>`;
}

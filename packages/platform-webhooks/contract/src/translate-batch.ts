import type { OrderLine, TranslatedEntry, TranslatedOrder } from '@handover/domain';
import type { Unreadable } from './platform-webhook.ts';

/**
 * More events than a batch contains in practice: each becomes an entry of the log, and all are recorded in
 * one transaction.
 */
const MAX_EVENTS = 250;

/** Translates a delivery of several events, each of which becomes an entry. */
export function translateBatch<Event>(
  events: readonly Event[],
  translateEvent: (event: Event) => TranslatedEntry,
): readonly TranslatedEntry[] | Unreadable {
  if (events.length === 0) return [{ kind: 'ignored', orderId: null, reason: 'The batch holds no event.' }];
  if (events.length > MAX_EVENTS) {
    return { kind: 'unreadable', problem: `The batch holds more than ${MAX_EVENTS} events.` };
  }
  return oneEntryPerOrder(events.map(translateEvent));
}

/**
 * Several events of one batch can announce the same order: a manual resend, or creation and payment. A
 * stored batch is searched by order id, so each order must appear once: its first entry is merged with the
 * later ones.
 */
export function oneEntryPerOrder(entries: readonly TranslatedEntry[]): readonly TranslatedEntry[] {
  const whole = new Map<string, TranslatedOrder>();
  for (const entry of entries) {
    if (entry.kind !== 'order') continue;
    const { order } = entry;
    const first = whole.get(order.orderId);
    whole.set(order.orderId, first ? joinOrders(first, order) : order);
  }
  return entries.map((entry) => {
    if (entry.kind !== 'order' || entry.order.orderId === '') return entry;
    const { orderId } = entry.order;
    const order = whole.get(orderId);
    if (!order) return { kind: 'ignored', orderId, reason: REPEATED };
    whole.delete(orderId);
    return { kind: 'order', order };
  });
}

const REPEATED = 'The batch announces this order more than once: its first entry holds all of it.';

function joinOrders(first: TranslatedOrder, second: TranslatedOrder): TranslatedOrder {
  const known = new Set(first.lines.map(nameLine));
  return {
    ...first,
    customer: {
      email: first.customer.email ?? second.customer.email,
      name: first.customer.name ?? second.customer.name,
    },
    currency: first.currency ?? second.currency,
    total: first.total ?? second.total,
    lines: [...first.lines, ...second.lines.filter((line) => !known.has(nameLine(line)))],
    test: first.test || second.test,
    ...((first.isRefunded ?? second.isRefunded) && { isRefunded: true }),
    notes: [...new Set([...first.notes, ...second.notes])],
  };
}

function nameLine({ candidates, title }: OrderLine): string {
  return JSON.stringify(candidates.length > 0 ? candidates : [title]);
}

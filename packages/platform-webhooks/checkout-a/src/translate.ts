import {
  joinNames,
  MAX_EVENTS,
  oneEntryPerOrder,
  readPayload,
  type TranslatedEntry,
  type TranslatedOrder,
  type Unreadable,
} from '@handover/platform-contract';
import { classifyEvent } from './classify-event.ts';
import { listEvents } from './list-events.ts';
import { type EventPayload, EventSchema, type OrderPayload } from './payload.ts';
import { translateLines } from './translate-lines.ts';

export function translate(payload: unknown): readonly TranslatedEntry[] | Unreadable {
  const events = listEvents(payload);
  if (!events) return { kind: 'unreadable', problem: 'The body holds no list of events.' };
  if (events.length === 0) return [{ kind: 'ignored', orderId: null, reason: 'The batch holds no event.' }];
  if (events.length > MAX_EVENTS) {
    return { kind: 'unreadable', problem: `The batch holds more than ${MAX_EVENTS} events.` };
  }
  return oneEntryPerOrder(events.map(translateEvent));
}

function translateEvent(payload: unknown): TranslatedEntry {
  const event = readPayload(EventSchema, payload);
  if (!event) return { kind: 'ignored', orderId: null, reason: 'An event of the batch is not an object.' };
  const classification = classifyEvent(event);
  if (classification.kind === 'ignored') return classification;
  const { orderId } = classification;
  if (orderId === null) return { kind: 'error', orderId, reason: explainNameless(event) };
  return { kind: 'order', order: translateOrder(orderId, event) };
}

/** Without the order's id nobody could tell later whether it was delivered. */
function explainNameless({ id }: EventPayload): string {
  return `The event ${id ?? 'without an id'} names no order id, so nothing can be delivered for it.`;
}

function translateOrder(orderId: string, { live, data = {} }: EventPayload): TranslatedOrder {
  const { lines, notes } = translateLines(data.items ?? []);
  return {
    orderId,
    orderNumber: data.reference ?? orderId,
    customer: { email: readEmail(data), name: readName(data) },
    currency: data.currency ?? null,
    total: data.total ?? null,
    lines,
    test: (live ?? data.live) === false,
    notes,
  };
}

/** Who pays is who is delivered to; the recipient of a gift counts only where nobody else is named. */
function readEmail({ customer, account, recipients }: OrderPayload): string | null {
  return customer?.email ?? account?.contact?.email ?? recipients?.[0]?.recipient?.email ?? null;
}

function readName({ customer, account }: OrderPayload): string | null {
  const contact = account?.contact;
  return (
    joinNames(customer?.first, customer?.last) ??
    joinNames(contact?.first, contact?.last) ??
    customer?.company ??
    null
  );
}

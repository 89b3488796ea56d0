import {
  countItems,
  joinNames,
  lastSegment,
  listCandidates,
  MAX_EVENTS,
  type OrderLine,
  oneEntryPerOrder,
  readPayload,
  readQuantity,
  type TranslatedEntry,
  type TranslatedOrder,
  type Unreadable,
} from '@handover/platform-contract';
import { classifyEvent } from './classify.ts';
import {
  type EventPayload,
  EventSchema,
  type ItemPayload,
  listEvents,
  type OrderPayload,
} from './payload.ts';

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

/** Without the order's id, a later delivery of it could not be recognised as a duplicate. */
function explainNameless({ id }: EventPayload): string {
  return `The event ${id ?? 'without an id'} names no order id, so nothing can be delivered for it.`;
}

function translateOrder(orderId: string, { live, data = {} }: EventPayload): TranslatedOrder {
  const { lines, notes } = translateLines(data.items ?? []);
  return {
    orderId,
    orderNumber: data.reference ?? orderId,
    customer: { email: readEmail(data), name: readName(data) },
    language: data.language ?? null,
    currency: data.currency ?? null,
    total: data.total ?? null,
    lines,
    test: (live ?? data.live) === false,
    notes,
  };
}

/** The payer gets the delivery; the recipient of a gift counts only if no other address is given. */
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

/** All lines: the items of a bundle cost nothing, but were bought too. */
function translateLines(items: readonly ItemPayload[]): {
  readonly lines: readonly OrderLine[];
  readonly notes: readonly string[];
} {
  const notes: string[] = [];
  const bought = items.filter(({ quantity }) => readQuantity(quantity) !== 0);
  const lines = bought.map((item, position) => translateLine(item, `Line ${position + 1}`, notes));
  return { lines, notes };
}

/** The SKU exists only if the merchant filled it in; the product's path always exists. */
function translateLine(item: ItemPayload, name: string, notes: string[]): OrderLine {
  return {
    candidates: listCandidates({ skus: [item.sku, item.product, lastSegment(item.product)], vendorIds: [] }),
    quantity: countItems(item.quantity, name, notes),
    amount: item.subtotal ?? null,
    title: item.display ?? null,
  };
}

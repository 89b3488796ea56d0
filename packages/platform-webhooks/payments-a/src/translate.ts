import {
  formatDecimal,
  readPayload,
  type TranslatedEntry,
  type TranslatedOrder,
  type Unreadable,
} from '@handover/platform-contract';
import { classifyEvent } from './classify-event.ts';
import { readMinorUnits } from './minor-units.ts';
import { EventSchema, type SessionPayload } from './payload.ts';
import { translateLines } from './translate-lines.ts';

export function translate(payload: unknown): readonly TranslatedEntry[] | Unreadable {
  const event = readPayload(EventSchema, payload);
  if (!event) return { kind: 'unreadable', problem: 'The body is not a JSON object.' };
  const classification = classifyEvent(event);
  if (classification.kind === 'unreadable') return classification;
  if (classification.kind !== 'completed') return [classification];
  const order = translateSession(classification.orderId, classification.session);
  return [{ kind: 'order', order: { ...order, test: event.livemode === false } }];
}

/**
 * The order is the session, never the event: several events, and several sends of each, may speak of one
 * session.
 */
function translateSession(orderId: string, session: SessionPayload): Omit<TranslatedOrder, 'test'> {
  const { customer_details: customer, currency = null } = session;
  const total = readMinorUnits(session.amount_total, currency);
  const { lines, notes } = translateLines(session, total);
  return {
    orderId,
    orderNumber: session.payment_intent ?? session.invoice ?? orderId,
    customer: {
      email: customer?.email ?? session.customer_email ?? null,
      name: customer?.name ?? customer?.individual_name ?? customer?.business_name ?? null,
    },
    currency,
    total: total && formatDecimal(total),
    lines,
    notes: currency === null && total ? [NO_CURRENCY, ...notes] : notes,
  };
}

const NO_CURRENCY = 'The session names no currency: its amounts were read as hundredths.';

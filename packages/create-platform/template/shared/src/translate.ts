import { readPayload, type TranslatedEntry, type Unreadable } from '@handover/platform-contract';
import { type OrderPayload, OrderSchema } from './payload.ts';

export function translate(payload: unknown): readonly TranslatedEntry[] | Unreadable {
  const order = readPayload(OrderSchema, payload);
  if (!order) return { kind: 'unreadable', problem: 'The body is not a JSON object.' };
  return translateOrder(order);
}

function translateOrder(_order: OrderPayload): readonly TranslatedEntry[] | Unreadable {
  return {
    kind: 'unreadable',
    problem:
      'Nothing is translated yet. In src/translate.ts, make an entry of kind "order" of a paid order that stands, and ' +
      'one of kind "ignored", with the reason, of anything else.',
  };
}

import type { AsRead } from '@handover/platform-contract';
import { type Static, Type } from 'typebox';

// https://developer.fastspring.com/docs/ordercompleted
// https://developer.fastspring.com/reference-link/webhook-expansion
// Numbers are text here. Only the members that translation reads are listed.

const Person = Type.Object({
  first: Type.String(),
  last: Type.String(),
  email: Type.String(),
  company: Type.String(),
});

const Item = Type.Object({
  /** The product's path in the store; the whole product if webhook expansion is on. */
  product: Type.Unknown(),
  sku: Type.String(),
  display: Type.String(),
  quantity: Type.String(),
  /** The total of the line, after discounts, before tax. */
  subtotal: Type.String(),
});

const OrderSchema = Type.Object({
  id: Type.String(),
  /** The order's id; the whole order if webhook expansion is on or the event embeds it. */
  order: Type.Unknown(),
  reference: Type.String(),
  completed: Type.Boolean(),
  live: Type.Boolean(),
  currency: Type.String(),
  /** In which the buyer saw the checkout: `de`. */
  language: Type.String(),
  /** In major units, tax included. */
  total: Type.String(),
  customer: Person,
  /** An id as text, unless webhook expansion is on. */
  account: Type.Object({ contact: Person }),
  recipients: Type.Array(Type.Object({ recipient: Person })),
  items: Type.Array(Item),
  /** The order of a return. */
  original: Type.Object({ id: Type.String() }),
});

export const EventSchema = Type.Object({
  id: Type.String(),
  type: Type.String(),
  live: Type.Boolean(),
  data: OrderSchema,
});

export const OrderIdSchema = Type.Object({ id: Type.String() });

/** `product` is its path. */
export const ProductSchema = Type.Object({ product: Type.String(), sku: Type.String() });

export type EventPayload = AsRead<Static<typeof EventSchema>>;
export type OrderPayload = AsRead<Static<typeof OrderSchema>>;
export type ItemPayload = AsRead<Static<typeof Item>>;

/**
 * The events of a batch, each still unvalidated; null when the body is not a batch. A single event or order
 * without a batch is accepted as it is: it was signed, and its sender meant something by it.
 */
export function listEvents(payload: unknown): readonly unknown[] | null {
  if (typeof payload !== 'object' || payload === null) return null;
  if ('events' in payload) return Array.isArray(payload.events) ? payload.events : null;
  if ('data' in payload) return [payload];
  return 'items' in payload ? [{ data: payload }] : null;
}

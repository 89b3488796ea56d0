import type { AsRead } from '@handover/platform-contract';
import { type Static, Type } from 'typebox';

// https://docs.stripe.com/api/events/object
// https://docs.stripe.com/api/checkout/sessions/object
// Numbers are text here, so that amounts keep each digit. Only the members that translation reads are
// listed.

const Price = Type.Object({
  id: Type.String(),
  lookup_key: Type.String(),
  metadata: Type.Object({ sku: Type.String() }),
  /** Its id, or the product itself where the sender expanded it. */
  product: Type.Unknown(),
});

export const ProductSchema = Type.Object({
  id: Type.String(),
  metadata: Type.Object({ sku: Type.String() }),
});

const LineItem = Type.Object({
  description: Type.String(),
  quantity: Type.String(),
  /** The total of the line, in minor units. */
  amount_total: Type.String(),
  price: Price,
});

const Metadata = Type.Object({
  org_id: Type.String(),
  orgId: Type.String(),
  sku: Type.String(),
  skus: Type.String(),
  product_id: Type.String(),
  productId: Type.String(),
});

const Session = Type.Object({
  id: Type.String(),
  mode: Type.String(),
  payment_status: Type.String(),
  /** In minor units. */
  amount_total: Type.String(),
  currency: Type.String(),
  /** Set by the shop; `auto` or null where the browser decided, which the event does not say. */
  locale: Type.String(),
  customer_details: Type.Object({
    email: Type.String(),
    name: Type.String(),
    individual_name: Type.String(),
    business_name: Type.String(),
  }),
  customer_email: Type.String(),
  payment_intent: Type.String(),
  invoice: Type.String(),
  // `client_reference_id` is left out on purpose: a buyer can set it in the URL of a payment link.
  metadata: Metadata,
  /** The vendor's own events never have it, but a sender that forwards them may add it. */
  line_items: Type.Object({ data: Type.Array(LineItem), has_more: Type.Boolean() }),
});

export const EventSchema = Type.Object({
  object: Type.String(),
  type: Type.String(),
  livemode: Type.Boolean(),
  id: Type.String(),
  account: Type.String(),
  data: Type.Object({ object: Session }),
  /** The account that generated the event, within the organisation of accounts that it may belong to. */
  context: Type.String(),
  /** Only in thin events: the object that a sender that reads more would fetch. */
  related_object: Type.Object({ id: Type.String() }),
});

export type EventPayload = AsRead<Static<typeof EventSchema>>;
export type SessionPayload = AsRead<Static<typeof Session>>;
export type LineItemPayload = AsRead<Static<typeof LineItem>>;

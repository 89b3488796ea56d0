import type { AsRead } from '@handover/platform-contract';
import { type Static, Type } from 'typebox';

// https://shopify.dev/docs/api/admin-rest/latest/resources/order
// Numbers are text here: ids are 64 bits wide. Only the members that translation reads are listed.

const LineItem = Type.Object({
  sku: Type.String(),
  variant_id: Type.String(),
  product_id: Type.String(),
  title: Type.String(),
  name: Type.String(),
  quantity: Type.String(),
  /** 0 once the line was removed from the order; `quantity` keeps the original number. */
  current_quantity: Type.String(),
  /** The price of one unit, before discounts. */
  price: Type.String(),
  /** Discounts of the whole line. */
  discount_allocations: Type.Array(Type.Object({ amount: Type.String() })),
});

const Address = Type.Object({ name: Type.String() });

export const OrderSchema = Type.Object({
  id: Type.String(),
  admin_graphql_api_id: Type.String(),
  name: Type.String(),
  order_number: Type.String(),
  email: Type.String(),
  contact_email: Type.String(),
  customer: Type.Object({ email: Type.String(), first_name: Type.String(), last_name: Type.String() }),
  /** In which the buyer saw the checkout: `de`, `pt-BR`. */
  customer_locale: Type.String(),
  billing_address: Address,
  shipping_address: Address,
  /** The shop's currency: `total_price` and every line use it. */
  currency: Type.String(),
  total_price: Type.String(),
  financial_status: Type.String(),
  /** Any value here means that the order was cancelled. */
  cancelled_at: Type.Unknown(),
  test: Type.Boolean(),
  line_items: Type.Array(LineItem),
  /** Only in bodies about an order: refunds, fulfilments, edits. */
  order_id: Type.String(),
  order_edit: Type.Object({ order_id: Type.String() }),
  /** Only in refunds, each of which also names what was removed or restocked: the movements of money. */
  transactions: Type.Array(Type.Object({ status: Type.String() })),
  /**
   * Only in the vendor's newer events: the topic and action, the changed fields, and the ids of the owners.
   */
  topic: Type.String(),
  action: Type.String(),
  fields_changed: Type.Unknown(),
  query_variables: Type.Object({ orderId: Type.String() }),
  /** Only in abandoned checkouts. */
  abandoned_checkout_url: Type.String(),
});

export type OrderPayload = AsRead<Static<typeof OrderSchema>>;
export type LineItemPayload = AsRead<Static<typeof LineItem>>;

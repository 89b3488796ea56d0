import type { AsRead } from '@handover/platform-contract';
import { type Static, Type } from 'typebox';

// https://shopify.dev/docs/api/admin-rest/latest/resources/order
// Numbers are text here: ids are 64 bits wide. Only what translation reads is listed.

const LineItem = Type.Object({
  sku: Type.String(),
  variant_id: Type.String(),
  product_id: Type.String(),
  title: Type.String(),
  name: Type.String(),
  quantity: Type.String(),
  /** 0 once the line was removed from the order; `quantity` keeps the number first bought. */
  current_quantity: Type.String(),
  /** Of one unit, before discounts. */
  price: Type.String(),
  /** Of the whole line. */
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
  billing_address: Address,
  shipping_address: Address,
  /** The shop's currency, that of `total_price` and of every line. */
  currency: Type.String(),
  total_price: Type.String(),
  financial_status: Type.String(),
  /** Whatever stands here says that the order was cancelled. */
  cancelled_at: Type.Unknown(),
  test: Type.Boolean(),
  line_items: Type.Array(LineItem),
  /** Only in bodies that speak about an order: refunds, fulfilments, edits. */
  order_id: Type.String(),
  order_edit: Type.Object({ order_id: Type.String() }),
  /** Only in the vendor's newer events: what happened to what, which fields changed, and the ids of whose they are. */
  topic: Type.String(),
  action: Type.String(),
  fields_changed: Type.Unknown(),
  query_variables: Type.Object({ orderId: Type.String() }),
  /** Only in checkouts that were not completed. */
  abandoned_checkout_url: Type.String(),
});

export type OrderPayload = AsRead<Static<typeof OrderSchema>>;
export type LineItemPayload = AsRead<Static<typeof LineItem>>;

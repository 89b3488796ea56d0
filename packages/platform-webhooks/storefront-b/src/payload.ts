import type { AsRead } from '@handover/platform-contract';
import { type Static, Type } from 'typebox';

// https://woocommerce.github.io/woocommerce-rest-api-docs/#order-properties
// Numbers are text here, so that amounts keep each digit. Only the members that translation reads are
// listed.

const LineItem = Type.Object({
  name: Type.String(),
  sku: Type.String(),
  /** 0 where the product has no variations. */
  variation_id: Type.String(),
  product_id: Type.String(),
  quantity: Type.String(),
  /** The total of the line, after discounts and without tax. */
  total: Type.String(),
});

const Billing = Type.Object({
  first_name: Type.String(),
  last_name: Type.String(),
  company: Type.String(),
  email: Type.String(),
});

const Order = {
  id: Type.String(),
  number: Type.String(),
  status: Type.String(),
  currency: Type.String(),
  /** With tax. */
  total: Type.String(),
  billing: Billing,
  line_items: Type.Array(LineItem),
  /** Of plugins. */
  meta_data: Type.Array(Type.Object({ key: Type.String(), value: Type.String() })),
  /** Whatever was given back, in full or in part. */
  refunds: Type.Array(Type.Unknown()),
  /** Only in refunds, which have an id and lines as well. */
  refunded_by: Type.Unknown(),
  refunded_payment: Type.Unknown(),
};

// https://woocommerce.github.io/woocommerce-rest-api-docs/v3.html#order-properties
const LegacyOrder = Type.Object({ ...Order, order_number: Type.String(), billing_address: Billing });

export const BodySchema = Type.Object({
  ...Order,
  /** Webhooks of the legacy payload version wrap the order, and name two of its members differently. */
  order: LegacyOrder,
  /** Only with the topics `action.*`: a hook of the shop, and its first argument. */
  action: Type.String(),
  arg: Type.String(),
  /** Only where the shop could not read the order and sent its own error instead. */
  code: Type.String(),
  message: Type.String(),
});

export type BodyPayload = AsRead<Static<typeof BodySchema>>;
export type OrderPayload = AsRead<Static<typeof LegacyOrder>>;
export type LineItemPayload = AsRead<Static<typeof LineItem>>;

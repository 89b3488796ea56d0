import type { AsRead } from '@handover/platform-contract';
import { type Static, Type } from 'typebox';

// https://help.samcart.com/support/solutions/articles/60000506436-notify-url
// Numbers are text here. Only the members that translation reads are listed.

const Product = Type.Object({
  id: Type.String(),
  /** Only some accounts send this and the internal name. */
  sku: Type.String(),
  internal_product_name: Type.String(),
  name: Type.String(),
  price: Type.String(),
  quantity: Type.String(),
  status: Type.String(),
});

export const SamCartSchema = Type.Object({
  type: Type.String(),
  order: Type.Object({ id: Type.String(), total: Type.String() }),
  customer: Type.Object({ email: Type.String(), first_name: Type.String(), last_name: Type.String() }),
  product: Product,
  products: Type.Array(Product),
});

export type SamCartPayload = AsRead<Static<typeof SamCartSchema>>;
export type SamCartProduct = AsRead<Static<typeof Product>>;

// https://support.thrivecart.com/help/using-webhook-notifications/
// All values are text, in forms also `null` and `false`. Only the members that translation reads are
// listed.

const Charge = Type.Object({
  name: Type.String(),
  /** `product_101`, or `product-101`. Older payloads lack this and the type. */
  item_identifier: Type.String(),
  /** `product`, `bump`, `upsell`, `downsell`. */
  item_type: Type.String(),
  /** The product's number; for a bump or an upsell, it can be the number of the product it is attached to. */
  reference: Type.String(),
  quantity: Type.String(),
  /** In hundredths. */
  amount: Type.String(),
  /** `single` or `recurring`. */
  type: Type.String(),
});

export const ThriveCartSchema = Type.Object({
  event: Type.String(),
  mode: Type.String(),
  mode_int: Type.String(),
  order_id: Type.String(),
  invoice_id: Type.String(),
  currency: Type.String(),
  customer: Type.Object({
    email: Type.String(),
    name: Type.String(),
    first_name: Type.String(),
    last_name: Type.String(),
  }),
  order: Type.Object({
    id: Type.String(),
    invoice_id: Type.String(),
    /** In hundredths. */
    total: Type.String(),
    /** In major units. */
    total_str: Type.String(),
    charges: Type.Array(Charge),
  }),
  /** The names of the purchased items, followed in the same order by their identifiers (see `listTexts`). */
  purchases: Type.Unknown(),
  purchase_map: Type.Unknown(),
  /** `product-101,upsell-101`. */
  purchase_map_flat: Type.String(),
});

export type ThriveCartPayload = AsRead<Static<typeof ThriveCartSchema>>;
export type ThriveCartCharge = AsRead<Static<typeof Charge>>;

// https://ultracart.atlassian.net/wiki/spaces/ucdoc/pages/38770251/Creating+a+Simple+Webhook
// https://www.ultracart.com/api/#resource_order.html
// Numbers are text here. Every part except the ids appears only if the merchant adds its expansion to the
// webhook.

const Money = Type.Object({ value: Type.String(), currency_code: Type.String() });

const Item = Type.Object({
  /** The SKU. */
  merchant_item_id: Type.String(),
  manufacturer_sku: Type.String(),
  description: Type.String(),
  quantity: Type.String(),
  /** The total of the line. */
  total_cost_with_discount: Money,
});

export const UltraCartSchema = Type.Object({
  order_id: Type.String(),
  current_stage: Type.String(),
  currency_code: Type.String(),
  billing: Type.Object({
    email: Type.String(),
    first_name: Type.String(),
    last_name: Type.String(),
    company: Type.String(),
  }),
  items: Type.Array(Item),
  summary: Type.Object({ total: Money }),
  payment: Type.Object({
    payment_status: Type.String(),
    /** Any value here means that the order was paid. */
    payment_dts: Type.Unknown(),
    test_order: Type.Boolean(),
  }),
});

export type UltraCartOrder = AsRead<Static<typeof UltraCartSchema>>;
export type UltraCartItem = AsRead<Static<typeof Item>>;

/**
 * Normalizes names of types and states, because their spelling varies: `Product Purchased`,
 * `product_purchased`.
 */
export function normalizeName(name: string | undefined): string {
  return (name ?? '').toLowerCase().replace(/[\s_-]+/g, '');
}

import type { AsRead } from '@handover/platform-contract';
import { type Static, Type } from 'typebox';

// https://help.samcart.com/support/solutions/articles/60000506436-notify-url
// Numbers are text here. Only what translation reads is listed.

const Product = Type.Object({
  id: Type.String(),
  /** This and the internal name stand only in some accounts. */
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
// All values are text, in forms also `null` and `false`. Only what translation reads is listed.

const Charge = Type.Object({
  name: Type.String(),
  /** `product_101`, or `product-101`. Older payloads have neither this nor the type. */
  item_identifier: Type.String(),
  /** `product`, `bump`, `upsell`, `downsell`. */
  item_type: Type.String(),
  /** The product's number; for a bump or an upsell, it can be that of the product it is attached to. */
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
    /** In hundredths. */
    total: Type.String(),
    /** In major units. */
    total_str: Type.String(),
    charges: Type.Array(Charge),
  }),
  /** The names of what was bought, and beside them, in the same order, the identifiers (see `listTexts`). */
  purchases: Type.Unknown(),
  purchase_map: Type.Unknown(),
  /** `product-101,upsell-101`. */
  purchase_map_flat: Type.String(),
});

export type ThriveCartPayload = AsRead<Static<typeof ThriveCartSchema>>;
export type ThriveCartCharge = AsRead<Static<typeof Charge>>;

// https://ultracart.atlassian.net/wiki/spaces/ucdoc/pages/38770251/Creating+a+Simple+Webhook
// https://www.ultracart.com/api/#resource_order.html
// Numbers are text here. Each part but the ids appears only if the merchant adds its expansion to the webhook.

const Money = Type.Object({ value: Type.String(), currency_code: Type.String() });

const Item = Type.Object({
  /** The SKU. */
  merchant_item_id: Type.String(),
  manufacturer_sku: Type.String(),
  description: Type.String(),
  quantity: Type.String(),
  /** Of the whole line. */
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
    /** Whatever stands here says that the order was paid. */
    payment_dts: Type.Unknown(),
    test_order: Type.Boolean(),
  }),
});

export type UltraCartOrder = AsRead<Static<typeof UltraCartSchema>>;
export type UltraCartItem = AsRead<Static<typeof Item>>;

/** Names of types and states without what differs between their spellings: `Product Purchased`, `product_purchased`. */
export function normalizeName(name: string | undefined): string {
  return (name ?? '').toLowerCase().replace(/[\s_-]+/g, '');
}

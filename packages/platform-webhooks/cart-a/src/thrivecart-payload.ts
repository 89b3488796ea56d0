import type { AsRead } from '@handover/platform-contract';
import { type Static, Type } from 'typebox';

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

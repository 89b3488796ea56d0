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

import type { AsRead } from '@handover/platform-contract';
import { type Static, Type } from 'typebox';

// Link the vendor's page about the payload here. Numbers are text; list only what translation reads.

const Item = Type.Object({
  sku: Type.String(),
  quantity: Type.String(),
});

export const OrderSchema = Type.Object({
  id: Type.String(),
  items: Type.Array(Item),
});

export type OrderPayload = AsRead<Static<typeof OrderSchema>>;

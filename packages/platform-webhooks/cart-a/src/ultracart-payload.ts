import type { AsRead } from '@handover/platform-contract';
import { type Static, Type } from 'typebox';

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

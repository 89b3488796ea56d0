import type { Migration } from './migration-kinds.ts';

/** People read the end of Stripe's ids, which all begin alike: these find an order by it. */
export const tailsOfOrderIds: Migration = {
  kind: 'indexes',
  compatibleWith: '0020-removable-contents',
  create: [
    {
      name: 'purchases_by_tail',
      on: "purchases (org_id, reverse(lower(order_id)) text_pattern_ops) where source = 'payments-a'",
    },
    {
      name: 'deliveries_by_tail',
      on: "deliveries (org_id, reverse(lower(order_id)) text_pattern_ops) where platform = 'payments-a'",
    },
  ],
};

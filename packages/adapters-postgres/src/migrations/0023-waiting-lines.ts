import type { Migration } from './migration-kinds.ts';

/** A search by SKU finds the orders that wait, however many lines of that SKU are ignored. */
export const waitingLines: Migration = {
  kind: 'indexes',
  compatibleWith: '0022-genuine-rejections',
  create: [
    {
      name: 'lines_waiting_by_sku',
      on: "delivery_lines (org_id, lower(left(sku, 200)) text_pattern_ops, delivery_id) where outcome in ('held', 'unmatched')",
    },
  ],
};

import type { Migration } from './migration-kinds.ts';

/** Counts leave test orders out: these find the few there are, so that the counts still read their own indexes alone. */
export const fewTestOrders: Migration = {
  kind: 'indexes',
  compatibleWith: '0013-test-orders',
  create: [
    { name: 'deliveries_of_tests', on: 'deliveries (org_id, received_at, id) where is_test' },
    { name: 'purchases_of_tests', on: 'purchases (org_id, id) where is_test' },
  ],
};

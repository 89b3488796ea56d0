import type { Migration } from './migration-kinds.ts';

/** The activity page lists what people did without the orders, which are many, and what one person did. */
export const activityFilters: Migration = {
  kind: 'indexes',
  compatibleWith: '0010-languages',
  create: [
    {
      name: 'activity_without_orders',
      on: "activity (org_id, id) where kind not in ('order-delivered', 'download-completed')",
    },
    { name: 'activity_of_actor', on: 'activity (org_id, actor, id) where actor is not null' },
  ],
};

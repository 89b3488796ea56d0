import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  `create table releases (
    org_id uuid not null,
    -- Why its entries were open.
    release text not null,
    -- The last one whose job was queued.
    after_entry uuid not null default '00000000-0000-0000-0000-000000000000',
    primary key (org_id, release)
  )`,
  // The entries that name a SKU, page by page.
  `create index lines_of_sku on delivery_lines (org_id, sku_key, delivery_id) include (platform)
    where sku_key is not null`,
];

export const releases: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  `alter table deliveries add column held_for text check (held_for in ('products', 'subscription'))`,
  // Until now only the reason told them apart, and no renewal would have found them.
  `update deliveries
    set held_for = case when reason like 'The subscription expired.%' then 'subscription' else 'products' end
    where status = 'held'`,
  `create index deliveries_held_for_subscription on deliveries (org_id, id) where held_for = 'subscription'`,
  // Successes are nearly all there is, and the primary key finds them as fast.
  `create index deliveries_by_status on deliveries (org_id, status, id) where status <> 'success'`,
  'create index deliveries_by_platform on deliveries (org_id, platform, id)',
  // The list's order must not depend on the locale of the database.
  `create index sku_mappings_in_order on sku_mappings (org_id, sku collate "C", platform collate "C")`,
  // The key comes before its purchase, so that of two requests with one key the second waits at the door.
  `create table idempotency_keys (
    org_id uuid not null,
    key text not null,
    fingerprint text not null,
    purchase_id uuid not null,
    created_at timestamptz(3) not null,
    primary key (org_id, key),
    foreign key (org_id, purchase_id) references purchases deferrable initially deferred
  )`,
  `create table download_sessions (
    org_id uuid not null,
    id uuid not null,
    link_id uuid not null,
    started_at timestamptz(3) not null,
    last_byte_at timestamptz(3) not null,
    bytes bigint not null default 0 check (bytes >= 0),
    completed_at timestamptz(3),
    primary key (org_id, id),
    foreign key (org_id, link_id) references download_links
  )`,
  'create index sessions_oldest_first on download_sessions (org_id, started_at, id)',
  'create index sessions_of_link on download_sessions (org_id, link_id, last_byte_at)',
];

export const salesAndSessions: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

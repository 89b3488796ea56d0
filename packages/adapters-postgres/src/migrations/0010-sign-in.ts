import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  `create table sign_ins (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    redeemed_at timestamptz(3)
  )`,
  'create index sign_ins_of_user on sign_ins (user_id)',
  // Found by the hash of a token that only the browser holds.
  `create table user_sessions (
    hash text primary key,
    user_id uuid not null references users on delete cascade,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null
  )`,
  'create index user_sessions_of_user on user_sessions (user_id)',
  `create table if not exists throttles (
    key bytea primary key,
    tries integer not null,
    window_ends_at timestamptz(3) not null
  )`,
  'create index if not exists throttles_by_end on throttles (window_ends_at)',
  // The dashboard lists what maps to a product.
  `create index sku_mappings_of_product on sku_mappings (org_id, product_id, sku collate "C", platform collate "C")
    where product_id is not null`,
];

export const signIn: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

// Both are global by nature: an account is found before its organisation is known, and what is unassigned has none. So
// neither has a foreign key to a tenant's table.
const STATEMENTS = [
  `create table payment_accounts (
    account text primary key,
    org_id uuid not null references organisations,
    connection_id uuid not null,
    created_at timestamptz(3) not null
  )`,
  'create index payment_accounts_of_organisation on payment_accounts (org_id)',
  `create table unassigned_deliveries (
    id uuid primary key,
    account text,
    org_hint text,
    order_id text not null,
    reason text not null,
    received_at timestamptz(3) not null,
    bytes bytea not null,
    headers jsonb not null
  )`,
  'create index unassigned_deliveries_of_account on unassigned_deliveries (account, id)',
  // Stored bodies are kept for a time: this finds those that are past it.
  'create index unassigned_deliveries_by_time on unassigned_deliveries (received_at)',
];

export const paymentAccounts: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

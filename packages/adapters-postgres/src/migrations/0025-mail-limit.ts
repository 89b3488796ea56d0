import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  `create table mail_counts (
    org_id uuid not null,
    hour timestamptz(3) not null,
    sent integer not null,
    primary key (org_id, hour)
  )`,
  // Waits because its organisation has sent enough mails for now.
  'alter table receipts add column postponed boolean not null default false',
  'create index postponed_receipts on receipts (org_id, next_try_at) where postponed',
];

export const mailLimit: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

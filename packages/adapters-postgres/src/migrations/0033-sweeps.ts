import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  // Where the sweep for lost jobs goes on at its next run. No row: at the beginning.
  'create table sweep_cursors (name text primary key, after_org uuid, after_id uuid not null)',
  // Links that were asked for before this are not looked for: they work for minutes only.
  'alter table sign_ins add column mail_owed boolean not null default false',
  'create index sign_ins_to_mail on sign_ins (id) where mail_owed',
];

export const sweeps: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

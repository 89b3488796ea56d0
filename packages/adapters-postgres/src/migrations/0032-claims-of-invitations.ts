import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  // Until now a try that was under way moved `mail_due_at` on. Those stay due when they said.
  'alter table invitations add column claim_id uuid, add column claimed_until timestamptz(3)',
];

export const claimsOfInvitations: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

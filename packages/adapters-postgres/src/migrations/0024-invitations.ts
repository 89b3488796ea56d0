import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  // `mail_due_at`: when the mail may be taken next; a try that is under way has moved it on.
  `create table invitations (
    org_id uuid not null references organisations,
    id uuid not null,
    email text not null,
    email_normalized text not null,
    name text,
    role text not null,
    invited_by uuid not null,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    accepted_at timestamptz(3),
    mail_status text not null default 'owed',
    mail_owed_since timestamptz(3) not null,
    mail_due_at timestamptz(3) not null,
    mail_attempts integer not null default 0,
    mail_answer text,
    primary key (org_id, id)
  )`,
  `create unique index open_invitation_of_address on invitations (org_id, email_normalized)
    where accepted_at is null`,
];

export const invitations: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

import { executeEach } from './execute-each.ts';
import type { Migration } from './migration-kinds.ts';

/** What is null is of before: a session from another time is confirmed and seen when it began. */
const SESSIONS = `
  alter table user_sessions
    add column client text,
    add column last_seen_at timestamptz(3),
    add column confirmed_at timestamptz(3);
  alter table sign_ins add column return_to text;

  -- The browsers in which a user signed in.
  create table user_devices (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    hash text not null,
    client text not null,
    created_at timestamptz(3) not null,
    seen_at timestamptz(3) not null,
    unique (user_id, hash)
  );

  alter table outgoing_emails
    drop constraint outgoing_emails_kind_check;
  alter table outgoing_emails
    add constraint outgoing_emails_kind_check
      check (kind in ('receipt', 'links', 'alert', 'invitation', 'sign-in', 'new-device')) not valid;
`;

export const sessionsAndDevices: Migration = {
  kind: 'tables',
  compatibleWith: '0007-needs-you',
  up: (db) => executeEach(db, SESSIONS),
};

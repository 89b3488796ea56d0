import { executeEach } from './execute-each.ts';
import type { Migration } from './migration-kinds.ts';

const TABLES = `
  -- What somebody decided needs nothing, as it was seen then.
  create table dismissals (
    org_id uuid not null references organisations,
    subject text not null,
    seen_at timestamptz(3) not null,
    seen_count integer not null,
    reason text not null,
    dismissed_by text not null,
    at timestamptz(3) not null,
    primary key (org_id, subject)
  );
  -- The address that a person gave to an order which came without one.
  alter table deliveries add column added_email text;
`;

export const needsYou: Migration = {
  kind: 'tables',
  compatibleWith: '0006-many-api-keys',
  up: (db) => executeEach(db, TABLES),
};

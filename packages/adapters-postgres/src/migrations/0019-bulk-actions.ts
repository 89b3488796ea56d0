import { sql } from 'kysely';
import type { Migration } from './migration-kinds.ts';

/** What was done to many purchases at once, with its progress and result: see decision 90. */
const TABLES = `
  create table bulk_actions (
    org_id uuid not null,
    id uuid not null,
    action text not null,
    -- Which purchases it pages through, as JSON. Null: they were named, and it was done as one.
    query text,
    total integer not null,
    -- The last purchase of the pages that are done.
    place_at timestamptz(3) not null,
    place_id uuid not null,
    seen integer not null,
    done integer not null,
    before integer not null,
    revoked integer not null,
    actor text,
    via text not null,
    via_detail text,
    asked_at timestamptz(3) not null,
    ended_at timestamptz(3),
    cancelled_by text,
    primary key (org_id, id)
  );
`;

export const bulkActions: Migration = {
  kind: 'tables',
  compatibleWith: '0018-names-of-files',
  up: (db) => sql.raw(TABLES).execute(db),
};

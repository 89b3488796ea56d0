import { sql } from 'kysely';
import type { Migration } from './migration-kinds.ts';

/** Contents of the file store that may have no file any more: see decision 91. */
const TABLES = `
  create table removable_contents (
    org_id uuid not null,
    sha256 text not null,
    -- Null until the next run of the maintenance.
    due_at timestamptz(3),
    -- When it was last claimed to be removed.
    claimed_at timestamptz(3),
    primary key (org_id, sha256)
  );
`;

export const removableContents: Migration = {
  kind: 'tables',
  compatibleWith: '0019-bulk-actions',
  up: (db) => sql.raw(TABLES).execute(db),
};

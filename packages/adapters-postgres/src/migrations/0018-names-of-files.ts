import { executeEach } from './execute-each.ts';
import type { Migration } from './migration-kinds.ts';

/** What buyers see instead of a file's name, and its place in their list. 0 in existing rows: these stay in order of their names. */
const COLUMNS = `
  alter table version_files add column display_name text;
  alter table version_files add column position integer not null default 0;
`;

export const namesOfFiles: Migration = {
  kind: 'tables',
  compatibleWith: '0017-shared-secrets',
  up: (db) => executeEach(db, COLUMNS),
};

import { sql } from 'kysely';
import type { Migration } from './migration-kinds.ts';

/** Which action revoked a purchase. Null: a former program revoked it. */
export const revocations: Migration = {
  kind: 'tables',
  compatibleWith: '0024-names-without-accents',
  up: (db) => sql`alter table download_links add column revocation_id uuid`.execute(db),
};

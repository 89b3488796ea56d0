import { executeEach } from './execute-each.ts';
import type { Migration } from './migration-kinds.ts';

/** Signing secrets of the shared platform that the installation's owner set at the dashboard. Global, like its accounts. */
const SHARED_SECRETS = `
  create table shared_secrets (
    id uuid primary key,
    sealed text not null,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3)
  );
`;

export const sharedSecrets: Migration = {
  kind: 'tables',
  compatibleWith: '0016-causes-of-alerts',
  up: (db) => executeEach(db, SHARED_SECRETS),
};

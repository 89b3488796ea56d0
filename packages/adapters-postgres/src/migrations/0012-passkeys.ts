import { executeEach } from './execute-each.ts';
import type { Migration } from './migration-kinds.ts';

const PASSKEYS = `
  create table passkeys (
    -- The credential's own id, base64url.
    id text primary key,
    user_id uuid not null references users on delete cascade,
    name text not null,
    public_key text not null,
    counter bigint not null,
    transports text[] not null,
    created_at timestamptz(3) not null,
    last_used_at timestamptz(3)
  );
  create index passkeys_of_user on passkeys (user_id);

  -- Deleted with its use.
  create table passkey_challenges (
    challenge text primary key,
    -- Null: for a sign-in.
    user_id uuid references users on delete cascade,
    expires_at timestamptz(3) not null
  );
  create index passkey_challenges_by_end on passkey_challenges (expires_at);
`;

export const passkeys: Migration = {
  kind: 'tables',
  compatibleWith: '0011-activity-filters',
  up: (db) => executeEach(db, PASSKEYS),
};

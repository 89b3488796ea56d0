import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  // Whether a secret is shorter than those of its platform have to be, so that a page need not decrypt it to tell.
  'alter table connection_secrets add column is_short boolean not null default false',
  // A sealed text is base64url of 31 bytes (key number, nonce, tag) and of the secret's own bytes. A secret of characters
  // that take several bytes each may be taken for long enough.
  `update connection_secrets secret set is_short = true
    from connections connection
    where connection.org_id = secret.org_id and connection.id = secret.connection_id
      and length(secret.sealed) * 3 / 4 - 31 < case connection.platform when 'cart-a' then 16 else 8 end`,
];

export const shortSecrets: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

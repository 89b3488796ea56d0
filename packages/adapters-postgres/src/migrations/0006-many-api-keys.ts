import { executeEach } from './execute-each.ts';
import type { Migration } from './migration-kinds.ts';

const KEY = `
  alter table api_keys drop constraint api_keys_pkey;
  alter table api_keys add constraint api_keys_pkey primary key using index api_keys_by_name;
`;

/** From here on a user can have a second key. Only a program that knows of names adds one. */
export const manyApiKeys: Migration = {
  kind: 'tables',
  compatibleWith: '0003-traced-deliveries',
  up: (db) => executeEach(db, KEY),
};

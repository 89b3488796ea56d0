import { executeEach } from './execute-each.ts';
import type { Migration } from './migration-kinds.ts';

/** Whether the installation itself sent an order, to try a connection. False in existing rows: nobody knows of them. */
const COLUMNS = `
  alter table deliveries add column is_test boolean not null default false;
  alter table purchases add column is_test boolean not null default false;
`;

export const testOrders: Migration = {
  kind: 'tables',
  compatibleWith: '0012-passkeys',
  up: (db) => executeEach(db, COLUMNS),
};

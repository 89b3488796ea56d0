import { sql } from 'kysely';
import { ACCESS } from './initial/access.ts';
import { CATALOGUE } from './initial/catalogue.ts';
import { CONNECTIONS } from './initial/connections.ts';
import { SALES } from './initial/sales.ts';
import { WEBHOOK_LOG } from './initial/webhook-log.ts';
import { WORK } from './initial/work.ts';
import type { Migration } from './migration-kinds.ts';

/**
 * Every tenant table's keys begin with org_id, so that the schema can be distributed by organisation. Platform labels
 * have no check constraint: the domain's list may grow without a migration. Times have millisecond precision, like a
 * Date: with finer ones, a page of a list would begin after the wrong row, and an unchanged row would seem changed.
 */
export const initial: Migration = {
  kind: 'tables',
  compatibleWith: '0001-initial',
  up: async (db) => {
    for (const statements of [ACCESS, CATALOGUE, CONNECTIONS, SALES, WEBHOOK_LOG, WORK]) {
      await sql.raw(statements).execute(db);
    }
  },
};

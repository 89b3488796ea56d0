import { executeEach } from './execute-each.ts';
import type { Migration } from './migration-kinds.ts';

/** Both are null in existing rows, and adding them rewrites no table. */
const COLUMNS = `
  -- W3C's traceparent of the request that it came in with.
  alter table deliveries add column trace_context text;
  -- Of receipts: what they are for. No key: an entry is removed when it is old, and its receipt is not.
  alter table outgoing_emails add column delivery_id uuid;
`;

export const tracedDeliveries: Migration = {
  kind: 'tables',
  compatibleWith: '0002-fewer-indexes',
  up: (db) => executeEach(db, COLUMNS),
};

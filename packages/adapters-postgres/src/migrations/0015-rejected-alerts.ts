import { executeEach } from './execute-each.ts';
import type { Migration } from './migration-kinds.ts';

/** A rejected request without its order stays listed until it is delivered, dismissed or too old, as before. */
const CHANGES = `
  alter table rejected_deliveries
    add column order_id text,
    add column email_normalized text;
  alter table alerts
    drop constraint alerts_cause_check;
  alter table alerts
    add constraint alerts_cause_check
      check (cause in ('not-delivered', 'receipt-refused', 'unreadable', 'rejected')) not valid;
`;

export const rejectedAlerts: Migration = {
  kind: 'tables',
  compatibleWith: '0014-few-test-orders',
  up: (db) => executeEach(db, CHANGES),
};

import { executeEach } from './execute-each.ts';
import type { Migration } from './migration-kinds.ts';

/** Orders that a shop said it gave money back for. Few, and kept when the log has forgotten who said so. */
const REFUNDS = `
  create table refunds (
    org_id uuid not null,
    connection_id uuid not null,
    named_by text not null check (named_by in ('id', 'number')),
    order_name text not null,
    delivery_id uuid not null,
    at timestamptz(3) not null,
    primary key (org_id, connection_id, named_by, order_name),
    foreign key (org_id, connection_id) references connections
  );
`;

export const refunds: Migration = {
  kind: 'tables',
  compatibleWith: '0027-revoked-links',
  up: (db) => executeEach(db, REFUNDS),
};

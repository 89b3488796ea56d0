import { sql } from 'kysely';
import type { Migration } from './migration-kinds.ts';

/** Each order wrote 33 index entries for its delivery: three versions of the row, into nearly all indexes. */
const DELIVERIES = `
  -- Nobody reads it. Without it a decision changes nothing that is in an index while its receipt is pending, so it writes none.
  drop index deliveries_undecided;
  -- What these found is found connection by connection: an organisation has few.
  drop index log_by_status, deliveries_by_platform, deliveries_by_time;
  drop index deliveries_of_connection;
  -- When a connection's newest deliveries came, and all that the metrics of a day need.
  create index deliveries_of_connection on deliveries (org_id, connection_id, received_at desc, id desc)
    include (order_id, status);
  -- Many platforms have one name for an order: it is found by its id.
  drop index log_by_order_number;
  create index log_by_order_number on deliveries (org_id, lower(ltrim(order_number, '#')) text_pattern_ops, id)
    where order_number is not null and lower(ltrim(order_number, '#')) is distinct from lower(order_id);
  -- It was made last, and is again: see where it was first.
  drop index deliveries_of_order;
  create index deliveries_of_order on deliveries (org_id, connection_id, order_id, id);
`;

const LINES = `
  drop index lines_unmatched, lines_of_sku;
  -- The unmatched SKUs, and the entries that name one, page by page.
  create index lines_unmatched on delivery_lines (org_id, sku_key, delivery_id) include (platform, candidate)
    where sku_key is not null;
`;

const PURCHASES = `
  drop index purchases_by_order_number;
  create index purchases_by_order_number on purchases (org_id, lower(ltrim(order_number, '#')) text_pattern_ops)
    where order_number is not null and lower(ltrim(order_number, '#')) is distinct from lower(order_id);
`;

/** With free space on its page, a changed row stays there and writes no index entry (a HOT update). */
const ROOM = `
  alter table deliveries set (fillfactor = 60);
  alter table outgoing_emails set (fillfactor = 60);
  alter table download_links set (fillfactor = 70);
`;

export const fewerIndexes: Migration = {
  kind: 'tables',
  compatibleWith: '0001-initial',
  up: (db) => sql.raw(DELIVERIES + LINES + PURCHASES + ROOM).execute(db),
};

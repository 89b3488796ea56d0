import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  'alter table deliveries add column order_number text, add column email_folded text',
  // What was recorded before: as far as a purchase of the order knows it.
  `update deliveries delivery
    set order_number = left(bought.order_number, 200), email_folded = bought.email_folded
    from (
      select distinct on (purchase.org_id, connection_id, order_id)
        purchase.org_id, connection_id, order_id, order_number, customer.email_folded
      from purchases purchase
      join customers customer on customer.org_id = purchase.org_id and customer.id = purchase.customer_id
      where connection_id is not null and order_id is not null
      order by purchase.org_id, connection_id, order_id, purchase.id
    ) bought
    where bought.org_id = delivery.org_id and bought.connection_id = delivery.connection_id
      and bought.order_id = delivery.order_id`,
  'alter table unassigned_deliveries add column order_number text, add column email_folded text',

  // Pages of the log by status, of all connections or of one; and their counts, without reading a row.
  // The first one's forerunner left successes out.
  'drop index deliveries_by_status',
  'create index log_by_status on deliveries (org_id, status, id desc)',
  'create index log_of_connection on deliveries (org_id, connection_id, status, id desc)',

  // How a number, an address or a SKU begins.
  `create index log_by_order_number on deliveries
    (org_id, lower(ltrim(order_number, '#')) text_pattern_ops, id)`,
  'create index log_by_order_id on deliveries (org_id, lower(order_id) text_pattern_ops, id)',
  `create index log_by_email on deliveries (org_id, email_folded text_pattern_ops, id)
    where email_folded is not null`,
  `create index lines_by_sku on delivery_lines
    (org_id, lower(left(sku, 200)) text_pattern_ops, delivery_id)`,
];

export const logPage: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

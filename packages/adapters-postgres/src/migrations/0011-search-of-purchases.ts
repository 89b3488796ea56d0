import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  // The words of name and address, folded by the program: what counts as a letter must not depend on the
  // database's locale.
  `alter table customers add column words text not null default ''`,
  `update customers
    set words = trim(lower(regexp_replace(left(name, 200) || ' ' || email_folded, '[^[:alnum:]]+', ' ', 'g')))`,
  `create index customers_by_word on customers using gin (array_to_tsvector(string_to_array(words, ' ')))`,
  `create index purchases_by_order_number on purchases
    (org_id, lower(ltrim(order_number, '#')) text_pattern_ops)`,
  'create index purchases_by_order_id on purchases (org_id, lower(order_id) text_pattern_ops)',
  'create index purchases_of_product on purchases (org_id, product_id, created_at desc, id desc)',
  `create index receipts_not_sent on receipts (org_id, status, id) where status <> 'sent'`,
];

export const searchOfPurchases: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

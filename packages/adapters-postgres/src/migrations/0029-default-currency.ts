import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  // Not `default_currency`: processes of the version before join these tables and name that column alone.
  'alter table organisations add column currency text',
  // What an organisation mostly sold in, else what most of its connections were told.
  `update organisations organisation set currency = coalesce(
    (select sold.currency from purchases sold
      where sold.org_id = organisation.id and sold.currency ~ '^[A-Z]{3}$' and sold.currency <> 'XXX'
      group by sold.currency order by count(*) desc, sold.currency limit 1),
    (select default_currency from connections
      where org_id = organisation.id and default_currency is not null
      group by default_currency order by count(*) desc, default_currency limit 1)
  )`,
  // XXX stood where nobody had said a currency. Where still nobody has, there is none.
  'alter table purchases alter column currency drop not null',
  `update purchases purchase set currency = coalesce(
    (select default_currency from connections
      where org_id = purchase.org_id and id = purchase.connection_id),
    (select currency from organisations where id = purchase.org_id)
  ) where currency = 'XXX'`,
];

export const defaultCurrency: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

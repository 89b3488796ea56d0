import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  // The default keeps processes of the version before working while they are replaced one by one.
  `alter table activity
    add column via text not null default 'automatic'
      check (via in ('dashboard', 'api-key', 'command-line', 'automatic')),
    add column via_detail text`,
  // Until now people acted at the dashboard alone, but for sales, which also came by key and then named nobody.
  `update activity set via = case when actor is null then 'api-key' else 'dashboard' end
    where actor is not null or kind = 'sale-recorded'`,
  // Most entries are of orders that were delivered: what people did is few among them.
  `create index activity_of_people on activity (org_id, via, id) where via <> 'automatic'`,
  // A link that was withdrawn is remembered, so that its use can be told from that of an expired one.
  'alter table sign_ins add column withdrawn boolean not null default false',
];

export const howItWasDone: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

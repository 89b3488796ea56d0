import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  // What a platform called a purchase when it was delivered, folded: never removed, whatever is mapped later.
  `create table sold_as (
    org_id uuid not null,
    purchase_id uuid not null,
    candidate text not null check (candidate in ('sku', 'vendor-id')),
    sku text not null,
    primary key (org_id, purchase_id, candidate, sku),
    foreign key (org_id, purchase_id) references purchases
  )`,
  // What was sold before: as far as a line names it still. Folded as far as SQL can; a rare name is not found again.
  `insert into sold_as (org_id, purchase_id, candidate, sku)
    select distinct org_id, purchase_id, candidate, lower(trim(sku)) from delivery_lines
    where purchase_id is not null and candidate is not null`,
];

export const soldAs: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

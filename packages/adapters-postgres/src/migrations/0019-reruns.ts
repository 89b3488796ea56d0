import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  // Entries that are to be run once more, until they are decided. Small: nearly all are, within a second.
  `create table reruns (
    org_id uuid not null,
    delivery_id uuid not null,
    kind text not null check (kind in ('fulfil-delivery', 'settle-delivery')),
    attempts integer not null,
    due_at timestamptz(3) not null,
    primary key (org_id, delivery_id, kind, attempts),
    foreign key (org_id, delivery_id) references deliveries
  )`,
  // Settling that was lost before: an entry with an open line was decided last before something of its order was sold.
  // What is queued still finds itself done, or does it.
  `insert into reruns (org_id, delivery_id, kind, attempts, due_at)
    select org_id, id, 'settle-delivery', attempts, now() from deliveries entry
    where decided_at is not null
      and exists (
        select from delivery_lines line
        where line.org_id = entry.org_id and line.delivery_id = entry.id
          and line.outcome in ('held', 'unmatched')
      )
      and exists (
        select from purchases purchase
        where purchase.org_id = entry.org_id and purchase.connection_id = entry.connection_id
          and purchase.order_id = entry.order_id and purchase.created_at > entry.decided_at
      )`,
];

export const reruns: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

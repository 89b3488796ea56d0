import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const PARTITIONED = [
  // In the order in which a recording takes them.
  'lock table delivery_bodies, deliveries in access exclusive mode',
  // Bodies are removed by dropping their week, which no key may stand in the way of: an entry outlives its body. That it has
  // one, and whose it is, is said by the statement that writes both.
  'alter table deliveries drop constraint deliveries_org_id_body_id_fkey',
  'alter table delivery_bodies drop constraint delivery_bodies_org_id_fkey',
  // Until now a body that was removed for its age was a row without bytes.
  'delete from delivery_bodies where bytes is null',
  'alter table delivery_bodies alter column bytes set not null',
  'drop index bodies_oldest_first',
  'create index delivery_bodies_old_received_at_idx on delivery_bodies (received_at)',
  'alter table delivery_bodies rename to delivery_bodies_old',
  'alter index delivery_bodies_pkey rename to delivery_bodies_old_pkey',
  // By id, for ids begin with the time at which they were made.
  `create table delivery_bodies (
    org_id uuid not null,
    id uuid not null,
    bytes bytea not null,
    headers jsonb not null,
    received_at timestamptz(3),
    primary key (org_id, id)
  ) partition by range (id)`,
  'create index delivery_bodies_received_at_idx on delivery_bodies (received_at)',
  // For whatever has no week: made under a clock that is off, restored, or before its week was made.
  'create table delivery_bodies_default partition of delivery_bodies default',
];

/** What was there before is one long week, which ends when the next one begins. Ids that come later are moved. */
const KEEP_OLD = `
  do $$
  declare
    monday timestamptz := date_trunc('week', now() at time zone 'UTC') at time zone 'UTC' + interval '168 hours';
    hex text := lpad(to_hex((extract(epoch from monday) * 1000)::bigint), 12, '0');
    bound uuid := (left(hex, 8) || '-' || right(hex, 4) || '-0000-0000-000000000000')::uuid;
  begin
    if exists (select from delivery_bodies_old) then
      with moved as (delete from delivery_bodies_old where id >= bound returning *)
      insert into delivery_bodies_default (org_id, id, bytes, headers, received_at)
      select org_id, id, bytes, headers, received_at from moved;
      execute format('alter table delivery_bodies attach partition delivery_bodies_old for values from (minvalue) to (%L)', bound);
    else
      drop table delivery_bodies_old;
    end if;
  end $$`;

const INDEXES = [
  // Which bodies are needed still. Entries that are done are not in it, so that finishing one writes it no more.
  'drop index deliveries_of_body',
  `create index deliveries_needing_body on deliveries (org_id, body_id) where status in ('pending', 'held')`,
  'create index idempotency_keys_by_time on idempotency_keys (org_id, created_at)',
  'create index proofs_by_time on used_proofs (org_id, connection_id, first_seen_at)',
  'create index sign_ins_by_end on sign_ins (expires_at)',
  'create index user_sessions_by_end on user_sessions (expires_at)',
];

export const retention: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of [...PARTITIONED, KEEP_OLD, ...INDEXES]) await sql.raw(statement).execute(db);
  },
};

import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  'alter table connections add column strict boolean not null default false',
  'alter table connections add column ignore_test_orders boolean not null default false',
  // What was noted when the request came in. `note` is the decision's, and replaced by each.
  'alter table deliveries add column received_note text',
  // For platforms whose signature says nothing of the body. Kept for as long as orders are: for ever.
  `create table used_proofs (
    org_id uuid not null,
    connection_id uuid not null,
    fingerprint text not null check (fingerprint ~ '^[0-9a-f]{64}$'),
    body_sha256 text not null check (body_sha256 ~ '^[0-9a-f]{64}$'),
    first_seen_at timestamptz(3) not null,
    primary key (org_id, connection_id, fingerprint),
    foreign key (org_id, connection_id) references connections
  )`,
  `create table rejection_counts (
    org_id uuid not null references organisations,
    platform text not null,
    count bigint not null,
    last_at timestamptz(3) not null,
    last_reason text not null,
    primary key (org_id, platform)
  )`,
  // Requests that no secret verified. The secret that some carry in their URL is not here, but a keyed fingerprint.
  `create table rejected_deliveries (
    org_id uuid not null references organisations,
    id uuid not null,
    platform text not null,
    received_at timestamptz(3) not null,
    reason text not null,
    bytes bytea not null,
    headers jsonb not null,
    secret_fingerprint text,
    primary key (org_id, id)
  )`,
  'create index rejected_deliveries_of_platform on rejected_deliveries (org_id, platform, id)',
  'create index rejected_deliveries_oldest_first on rejected_deliveries (received_at)',
];

export const connectionRules: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

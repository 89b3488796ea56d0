/** Jobs and the leases of sweeps. */
export const WORK = `
  -- Small: rows come and go, and each is changed in between, which needs room beside it. What is gone is cleared away by
  -- number, not by share, so that a queue that was full once stays quick.
  create table jobs (
    kind text not null,
    -- The id of what it is about.
    subject text not null,
    -- Zeros where it belongs to no organisation.
    org_id uuid not null,
    lane text not null,
    attempts integer not null,
    failures integer not null default 0,
    due_at timestamptz(3) not null,
    -- When it is due once more after the run that is under way: it was queued anew meanwhile.
    again_at timestamptz(3),
    lease_id uuid,
    lease_until timestamptz,
    primary key (kind, subject, org_id)
  ) with (
    fillfactor = 50,
    autovacuum_vacuum_scale_factor = 0,
    autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_cost_delay = 0,
    autovacuum_analyze_scale_factor = 0,
    autovacuum_analyze_threshold = 10000
  );
  -- Holds nothing that a claim changes, so that claims write no index.
  create index jobs_by_turn on jobs (lane, org_id, due_at);

  create table releases (
    org_id uuid not null,
    -- Why its entries were open.
    release text not null,
    -- The last one whose job was queued.
    after_entry uuid not null default '00000000-0000-0000-0000-000000000000',
    primary key (org_id, release)
  );

  -- Which process does what one process does for all of them.
  create table leases (
    name text primary key,
    due_at timestamptz(3) not null,
    holder uuid
  );

  create table mail_counts (
    org_id uuid not null,
    hour timestamptz(3) not null,
    sent integer not null,
    primary key (org_id, hour)
  );
`;

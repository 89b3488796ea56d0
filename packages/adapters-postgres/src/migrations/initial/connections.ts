/** Connections to shops and accounts of platforms, with the secrets that verify their webhooks. */
export const CONNECTIONS = `
  create table connections (
    org_id uuid not null references organisations,
    id uuid not null,
    platform text not null,
    name text not null,
    default_currency text,
    strict boolean not null default false,
    ignore_test_orders boolean not null default false,
    created_at timestamptz(3) not null,
    primary key (org_id, id),
    unique (org_id, platform, name)
  );

  create table connection_secrets (
    org_id uuid not null,
    id uuid not null,
    connection_id uuid not null,
    sealed text not null,
    -- Shorter than those of its platform have to be: a page need not decrypt it to tell.
    is_short boolean not null default false,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3),
    primary key (org_id, id),
    foreign key (org_id, connection_id) references connections
  );
  create index secrets_of_connection on connection_secrets (org_id, connection_id);

  -- For platforms whose signature says nothing of the body.
  create table used_proofs (
    org_id uuid not null,
    connection_id uuid not null,
    fingerprint text not null check (fingerprint ~ '^[0-9a-f]{64}$'),
    body_sha256 text not null check (body_sha256 ~ '^[0-9a-f]{64}$'),
    first_seen_at timestamptz(3) not null,
    primary key (org_id, connection_id, fingerprint),
    foreign key (org_id, connection_id) references connections
  );
  create index proofs_by_time on used_proofs (org_id, connection_id, first_seen_at);

  create table rejection_counts (
    org_id uuid not null references organisations,
    platform text not null,
    count bigint not null,
    last_at timestamptz(3) not null,
    last_reason text not null,
    primary key (org_id, platform)
  );

  -- Requests that no secret verified. The secret that some carry in their URL is not here, but a keyed fingerprint.
  create table rejected_deliveries (
    org_id uuid not null references organisations,
    id uuid not null,
    platform text not null,
    received_at timestamptz(3) not null,
    source text not null default '',
    reason text not null,
    bytes bytea not null,
    headers jsonb not null,
    secret_fingerprint text,
    primary key (org_id, id)
  );
  create index rejected_deliveries_of_platform on rejected_deliveries (org_id, platform, id);
  create index rejected_deliveries_oldest_first on rejected_deliveries (received_at);

  -- Global: an account is found before its organisation is known.
  create table payment_accounts (
    account text primary key,
    org_id uuid not null references organisations,
    connection_id uuid not null,
    created_at timestamptz(3) not null
  );
  create index payment_accounts_of_organisation on payment_accounts (org_id);

  -- Global: what is unassigned has no organisation yet.
  create table unassigned_deliveries (
    id uuid primary key,
    account text,
    org_hint text,
    order_id text not null,
    order_number text,
    email_normalized text,
    -- Why nothing can be made of an event as it came; null for an order.
    problem text,
    reason text not null,
    received_at timestamptz(3) not null,
    bytes bytea not null,
    headers jsonb not null
  );
  create index unassigned_deliveries_of_account on unassigned_deliveries (account, id);
  create index unassigned_deliveries_by_time on unassigned_deliveries (received_at);
  -- An order that is sent several times waits once.
  create unique index unassigned_deliveries_of_order
    on unassigned_deliveries (account, org_hint, order_id, (problem is null)) nulls not distinct;
`;

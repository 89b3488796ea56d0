import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

// Every tenant table's keys begin with org_id, so that the schema can be distributed by organisation. Global
// by nature: organisations, users and API keys. Platform labels have no check constraint: the domain's list
// may grow without a migration. Times are kept to the millisecond, which is all that a Date can give back:
// finer ones would make a page of a list begin after the wrong row, and a row look changed that is not.
const STATEMENTS = [
  `create table organisations (
    id uuid primary key,
    name text not null,
    email text not null,
    subscription_expires_at timestamptz(3),
    created_at timestamptz(3) not null
  )`,
  `create table users (
    id uuid primary key,
    email text not null,
    email_folded text not null unique,
    name text,
    org_id uuid references organisations,
    role text check (role in ('owner', 'admin', 'member')),
    created_at timestamptz(3) not null,
    check ((org_id is null) = (role is null))
  )`,
  'create index users_of_organisation on users (org_id)',
  `create table api_keys (
    user_id uuid primary key references users,
    hash text not null unique,
    sealed text not null
  )`,
  `create table catalogues (
    org_id uuid primary key references organisations,
    revision bigint not null default 0
  )`,
  `create table products (
    org_id uuid not null references organisations,
    id uuid not null,
    name text not null,
    slug text not null,
    description text,
    status text not null check (status in ('draft', 'published', 'archived')),
    active_version_id uuid,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    primary key (org_id, id),
    unique (org_id, slug)
  )`,
  'create index products_newest_first on products (org_id, created_at desc, id desc)',
  `create table product_versions (
    org_id uuid not null,
    id uuid not null,
    product_id uuid not null,
    version text not null,
    status text not null check (status in ('preparing', 'ready')),
    created_at timestamptz(3) not null,
    primary key (org_id, id),
    unique (org_id, product_id, version),
    unique (org_id, product_id, id),
    foreign key (org_id, product_id) references products
  )`,
  `alter table products
    add foreign key (org_id, id, active_version_id) references product_versions (org_id, product_id, id)`,
  `create table version_files (
    org_id uuid not null,
    version_id uuid not null,
    name text collate "C" not null,
    size bigint not null check (size >= 0),
    sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
    primary key (org_id, version_id, name),
    foreign key (org_id, version_id) references product_versions
  )`,
  `create table connections (
    org_id uuid not null references organisations,
    id uuid not null,
    platform text not null,
    name text not null,
    default_currency text,
    created_at timestamptz(3) not null,
    primary key (org_id, id),
    unique (org_id, platform, name)
  )`,
  `create table connection_secrets (
    org_id uuid not null,
    id uuid not null,
    connection_id uuid not null,
    sealed text not null,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3),
    primary key (org_id, id),
    foreign key (org_id, connection_id) references connections
  )`,
  'create index secrets_of_connection on connection_secrets (org_id, connection_id)',
  `create table sku_mappings (
    org_id uuid not null references organisations,
    sku text not null,
    platform text not null default '',
    product_id uuid,
    primary key (org_id, sku, platform),
    foreign key (org_id, product_id) references products
  )`,
  `create table customers (
    org_id uuid not null references organisations,
    id uuid not null,
    email text not null,
    email_folded text not null,
    name text not null,
    created_at timestamptz(3) not null,
    primary key (org_id, id),
    unique (org_id, email_folded)
  )`,
  `create table receipts (
    org_id uuid not null,
    id uuid not null,
    customer_id uuid not null,
    connection_id uuid,
    order_id text,
    order_number text,
    status text not null default 'owed' check (status in ('owed', 'sent', 'refused')),
    attempts integer not null default 0,
    last_answer text,
    owed_since timestamptz(3) not null,
    next_try_at timestamptz(3) not null,
    claim_id uuid,
    claimed_until timestamptz(3),
    sent_at timestamptz(3),
    created_at timestamptz(3) not null,
    primary key (org_id, id),
    foreign key (org_id, customer_id) references customers,
    foreign key (org_id, connection_id) references connections
  )`,
  `create table purchases (
    org_id uuid not null,
    id uuid not null,
    customer_id uuid not null,
    product_id uuid not null,
    version_id uuid,
    amount numeric not null,
    currency text not null,
    payment_method text not null,
    source text not null,
    connection_id uuid,
    order_id text,
    order_number text,
    receipt_id uuid,
    created_at timestamptz(3) not null,
    primary key (org_id, id),
    unique (org_id, connection_id, order_id, product_id),
    foreign key (org_id, customer_id) references customers,
    foreign key (org_id, product_id) references products,
    foreign key (org_id, version_id) references product_versions,
    foreign key (org_id, connection_id) references connections,
    foreign key (org_id, receipt_id) references receipts
  )`,
  'create index purchases_newest_first on purchases (org_id, created_at desc, id desc)',
  'create index purchases_of_customer on purchases (org_id, customer_id)',
  'create index purchases_of_receipt on purchases (org_id, receipt_id)',
  `create table download_links (
    org_id uuid not null,
    id uuid not null,
    purchase_id uuid not null,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    opened_count integer not null default 0,
    last_opened_at timestamptz(3),
    used_at timestamptz(3),
    revoked_at timestamptz(3),
    primary key (org_id, id),
    foreign key (org_id, purchase_id) references purchases
  )`,
  'create index links_of_purchase on download_links (org_id, purchase_id, created_at desc, id desc)',
  `create table activity (
    org_id uuid not null references organisations,
    id uuid not null,
    at timestamptz(3) not null,
    kind text not null,
    subject_id uuid not null,
    summary text not null,
    primary key (org_id, id)
  )`,
  'create index activity_newest_first on activity (org_id, at desc, id desc)',
  `create table delivery_bodies (
    org_id uuid not null references organisations,
    id uuid not null,
    bytes bytea not null,
    headers jsonb not null,
    primary key (org_id, id)
  )`,
  `create table deliveries (
    org_id uuid not null,
    id uuid not null,
    platform text not null,
    connection_id uuid not null,
    body_id uuid not null,
    order_id text,
    received_at timestamptz(3) not null,
    status text not null check (status in ('pending', 'success', 'error', 'held', 'ignored')),
    reason text,
    note text,
    attempts integer not null default 0,
    decided_at timestamptz(3),
    primary key (org_id, id),
    foreign key (org_id, connection_id) references connections,
    foreign key (org_id, body_id) references delivery_bodies
  )`,
  'create index deliveries_newest_first on deliveries (org_id, received_at desc, id desc)',
  'create index deliveries_of_order on deliveries (org_id, connection_id, order_id)',
  `create table delivery_lines (
    org_id uuid not null,
    delivery_id uuid not null,
    position integer not null,
    sku text not null,
    outcome text not null
      check (outcome in ('delivered', 'already-delivered', 'held', 'unmatched', 'not-ours')),
    reason text,
    product_id uuid,
    purchase_id uuid,
    primary key (org_id, delivery_id, position),
    foreign key (org_id, delivery_id) references deliveries,
    foreign key (org_id, product_id) references products,
    foreign key (org_id, purchase_id) references purchases
  )`,
  `create index lines_of_purchase on delivery_lines (org_id, purchase_id) where purchase_id is not null`,
];

export const firstTables: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

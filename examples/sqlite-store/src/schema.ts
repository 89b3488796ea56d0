/** Every key begins with the organisation. Times are milliseconds since 1970. */
export const SCHEMA = `
create table if not exists shops (
  org_id text primary key, name text not null, email text not null,
  default_currency text, subscription_expires_at integer, revision integer not null
) strict;
create table if not exists products (
  org_id text not null, id text not null, name text not null, slug text not null, status text not null, version_id text,
  primary key (org_id, id), unique (org_id, slug)
) strict;
create table if not exists versions (
  org_id text not null, id text not null, label text not null, file_count integer not null, total_size integer not null,
  primary key (org_id, id)
) strict;
create table if not exists mappings (
  org_id text not null, sku text not null, platform text, product_id text
) strict;
create unique index if not exists mappings_key on mappings (org_id, sku, coalesce(platform, ''));

create table if not exists bodies (
  org_id text not null, id text not null, bytes blob not null, headers text not null,
  primary key (org_id, id)
) strict;
create table if not exists deliveries (
  org_id text not null, id text not null, body_id text not null, platform text not null, connection_id text not null,
  order_id text, order_number text, normalized_email text, received_at integer not null,
  status text not null, held_for text, reason text, arrival_note text, note text,
  attempts integer not null default 0,
  primary key (org_id, id)
) strict;
create index if not exists deliveries_of_order on deliveries (org_id, connection_id, order_id);
create table if not exists delivery_lines (
  org_id text not null, delivery_id text not null, position integer not null, sku text not null, candidate text,
  outcome text not null, reason text, product_id text, purchase_id text,
  primary key (org_id, delivery_id, position)
) strict;
create index if not exists delivery_lines_of_purchase on delivery_lines (org_id, purchase_id);

create table if not exists customers (
  org_id text not null, id text not null, email text not null, normalized_email text not null, name text not null,
  created_at integer not null,
  primary key (org_id, id), unique (org_id, normalized_email)
) strict;
create table if not exists receipts (
  org_id text not null, id text not null, customer_id text not null, language text, created_at integer not null,
  status text not null default 'pending', attempts integer not null default 0,
  pending_since integer not null, due_at integer not null, claim_id text, claimed_until integer,
  primary key (org_id, id)
) strict;
create table if not exists purchases (
  org_id text not null, id text not null, customer_id text not null, product_id text not null, version_id text,
  amount text not null, currency text, payment_method text not null, source text not null,
  connection_id text, order_id text, order_number text, receipt_id text, created_at integer not null,
  primary key (org_id, id), unique (org_id, connection_id, order_id, product_id)
) strict;
create index if not exists purchases_of_receipt on purchases (org_id, receipt_id);
create table if not exists purchase_aliases (
  org_id text not null, purchase_id text not null, candidate text not null, sku text not null,
  primary key (org_id, purchase_id, candidate, sku)
) strict;
create table if not exists links (
  org_id text not null, id text not null, purchase_id text not null, expires_at integer not null,
  created_at integer not null,
  primary key (org_id, id)
) strict;
create index if not exists links_of_purchase on links (org_id, purchase_id, created_at);

create table if not exists activity (
  org_id text not null, id text not null, entry text not null,
  primary key (org_id, id)
) strict;
create table if not exists alerts (
  org_id text not null, cause text not null, about text not null, subject_id text not null, details text not null,
  primary key (org_id, cause, about)
) strict;
create table if not exists jobs (
  org_id text not null, kind text not null, subject text not null, job text not null, is_ours integer not null,
  due_at integer not null, lease_id text, leased_until integer,
  primary key (org_id, kind, subject)
) strict;
create index if not exists jobs_due on jobs (due_at) where is_ours = 1;
`;

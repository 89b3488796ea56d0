/** Received webhooks, the decisions about them, and alerts. */
export const WEBHOOK_LOG = `
  -- Bodies are removed by dropping their week, so that no key refers to them: an entry outlives its body. Partitioned by
  -- id, for ids begin with the time at which they were made.
  create table delivery_bodies (
    org_id uuid not null,
    id uuid not null,
    bytes bytea not null,
    headers jsonb not null,
    received_at timestamptz(3),
    primary key (org_id, id)
  ) partition by range (id);
  create index on delivery_bodies (received_at);
  -- For what has no week: made under a clock that is off, restored, or before its week was made.
  create table delivery_bodies_default partition of delivery_bodies default;

  create table deliveries (
    org_id uuid not null,
    id uuid not null,
    platform text not null,
    connection_id uuid not null,
    body_id uuid not null,
    order_id text,
    order_number text,
    email_normalized text,
    received_at timestamptz(3) not null,
    -- What was noted when the request came in.
    received_note text,
    status text not null check (status in ('pending', 'success', 'error', 'held', 'ignored')),
    reason text,
    -- Of the latest decision, as the next one replaces it.
    note text,
    held_for text check (held_for in ('products', 'subscription')),
    attempts integer not null default 0,
    decided_at timestamptz(3),
    primary key (org_id, id),
    foreign key (org_id, connection_id) references connections
  );
  -- Pages of the log and their counts, without reading a row.
  create index log_by_status on deliveries (org_id, status, id desc);
  create index log_of_connection on deliveries (org_id, connection_id, status, id desc);
  create index deliveries_by_platform on deliveries (org_id, platform, id);
  -- How a number or an address begins.
  create index log_by_order_number on deliveries (org_id, lower(ltrim(order_number, '#')) text_pattern_ops, id);
  create index log_by_order_id on deliveries (org_id, lower(order_id) text_pattern_ops, id);
  create index log_by_email on deliveries (org_id, email_normalized text_pattern_ops, id)
    where email_normalized is not null;
  -- All that the metrics of a day need.
  create index deliveries_by_time on deliveries (org_id, received_at) include (connection_id, order_id, status)
    where order_id is not null and status <> 'ignored';
  -- When a connection's newest deliveries came.
  create index deliveries_of_connection on deliveries (org_id, connection_id, received_at desc, id desc)
    include (order_id);
  create index deliveries_undecided on deliveries (org_id, id) where status = 'pending' and decided_at is null;
  create index deliveries_held_for_subscription on deliveries (org_id, id) where held_for = 'subscription';
  -- Which bodies are needed still.
  create index deliveries_needing_body on deliveries (org_id, body_id) where status in ('pending', 'held');
  -- The entries of an order, without a look at their rows. Made last, it is also what the planner takes where a table
  -- that was not analysed yet gives it no reason to prefer one index.
  create index deliveries_of_order on deliveries (org_id, connection_id, order_id, id);

  create table delivery_lines (
    org_id uuid not null,
    delivery_id uuid not null,
    position integer not null,
    sku text not null,
    outcome text not null check (outcome in ('delivered', 'already-delivered', 'held', 'unmatched', 'not-ours')),
    reason text,
    product_id uuid,
    purchase_id uuid,
    -- What the line called its product by.
    candidate text check (candidate in ('sku', 'vendor-id')),
    -- That name, normalized, and the platform, on unmatched lines alone: the count of unmatched SKUs reads one small index.
    sku_key text,
    platform text,
    primary key (org_id, delivery_id, position),
    foreign key (org_id, delivery_id) references deliveries,
    foreign key (org_id, product_id) references products,
    foreign key (org_id, purchase_id) references purchases
  );
  create index lines_unmatched on delivery_lines (org_id, sku_key, platform, candidate, delivery_id)
    where sku_key is not null;
  -- The entries that name a SKU, page by page.
  create index lines_of_sku on delivery_lines (org_id, sku_key, delivery_id) include (platform)
    where sku_key is not null;
  create index lines_held on delivery_lines (org_id, product_id, delivery_id) where outcome = 'held';
  create index lines_by_sku on delivery_lines (org_id, lower(left(sku, 200)) text_pattern_ops, delivery_id);
  create index deliveries_of_purchase on delivery_lines (org_id, purchase_id, delivery_id)
    where purchase_id is not null;

  -- Never removed: the key is what keeps one cause of one order from being told twice.
  create table alerts (
    org_id uuid not null references organisations,
    about text not null,
    cause text not null check (cause in ('not-delivered', 'receipt-refused', 'unreadable')),
    mail_id uuid,
    -- The entry or receipt that went wrong.
    subject_id uuid,
    delivery_id uuid,
    platform text,
    order_number text,
    customer_email text,
    reason text not null,
    at timestamptz(3) not null,
    primary key (org_id, about, cause),
    foreign key (org_id, mail_id) references outgoing_emails
  );
  create index alerts_of_mail on alerts (org_id, mail_id, at);
`;

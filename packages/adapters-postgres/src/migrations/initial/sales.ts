/** Customers, purchases, e-mails and downloads. */
export const SALES = `
  create table customers (
    org_id uuid not null references organisations,
    id uuid not null,
    email text not null,
    email_normalized text not null,
    name text not null,
    -- Of name and address, normalized by the program: what counts as a letter must not depend on the database's locale.
    search_words text not null default '',
    created_at timestamptz(3) not null,
    primary key (org_id, id),
    unique (org_id, email_normalized)
  );
  -- The one question that is asked of all organisations at once: what was bought with an address?
  create index customers_of_address on customers (email_normalized);
  create index customers_by_word on customers using gin (array_to_tsvector(string_to_array(search_words, ' ')));

  -- Every e-mail, of any kind.
  create table outgoing_emails (
    org_id uuid not null,
    id uuid not null,
    kind text not null check (kind in ('receipt', 'links', 'alert', 'invitation', 'sign-in')),
    status text not null default 'pending' check (status in ('pending', 'sent', 'refused')),
    attempts integer not null default 0,
    -- Waits because its organisation has sent enough for now.
    postponed boolean not null default false,
    last_answer text,
    last_answer_at timestamptz(3),
    pending_since timestamptz(3) not null,
    next_try_at timestamptz(3) not null,
    claim_id uuid,
    claimed_until timestamptz(3),
    sent_at timestamptz(3),
    created_at timestamptz(3) not null,
    -- Of receipts, as the three after it.
    customer_id uuid,
    connection_id uuid,
    order_id text,
    order_number text,
    invitation_id uuid,
    -- What new links were asked for: a purchase, or an address. Of alerts: that it collects.
    subject text,
    -- New links that are made, and whether older purchases had no room.
    details jsonb,
    primary key (org_id, id),
    foreign key (org_id, customer_id) references customers,
    foreign key (org_id, connection_id) references connections,
    -- One that is withdrawn takes its e-mail along.
    foreign key (org_id, invitation_id) references invitations on delete cascade,
    constraint outgoing_emails_customer_check check (kind <> 'receipt' or customer_id is not null)
  );
  create index receipts_not_sent on outgoing_emails (org_id, status, id) where status <> 'sent' and kind = 'receipt';
  create index receipts_by_sending on outgoing_emails (org_id, sent_at) include (created_at)
    where sent_at is not null and kind = 'receipt';
  create index receipts_postponed on outgoing_emails (org_id, next_try_at) where postponed and kind = 'receipt';
  -- One mail with new links for what was asked for, while it is pending: nothing is kept of it after that. Alerts join
  -- the one mail of their organisation that collects.
  create unique index emails_of_subject on outgoing_emails (org_id, kind, subject) where subject is not null;
  create index alert_emails_closed on outgoing_emails (org_id, pending_since desc)
    where kind = 'alert' and subject is null;
  create index emails_of_invitations on outgoing_emails (org_id, invitation_id) where invitation_id is not null;

  create table purchases (
    org_id uuid not null,
    id uuid not null,
    customer_id uuid not null,
    product_id uuid not null,
    version_id uuid,
    amount numeric not null,
    currency text,
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
    foreign key (org_id, receipt_id) references outgoing_emails
  );
  create index purchases_newest_first on purchases (org_id, created_at desc, id desc);
  create index purchases_of_customer_newest_first on purchases (org_id, customer_id, created_at desc, id desc);
  create index purchases_of_product on purchases (org_id, product_id, created_at desc, id desc);
  create index purchases_by_source on purchases (org_id, source, created_at desc, id desc);
  create index purchases_of_receipt on purchases (org_id, receipt_id);
  create index purchases_by_order_number on purchases (org_id, lower(ltrim(order_number, '#')) text_pattern_ops);
  create index purchases_by_order_id on purchases (org_id, lower(order_id) text_pattern_ops);

  -- What a platform called a purchase when it was delivered: never removed, whatever is mapped later.
  create table purchase_aliases (
    org_id uuid not null,
    purchase_id uuid not null,
    candidate text not null check (candidate in ('sku', 'vendor-id')),
    sku text not null,
    primary key (org_id, purchase_id, candidate, sku),
    foreign key (org_id, purchase_id) references purchases
  );

  -- The key comes before its purchase, so that of two requests with one key the second waits for the first.
  create table idempotency_keys (
    org_id uuid not null,
    key text not null,
    fingerprint text not null,
    purchase_id uuid not null,
    created_at timestamptz(3) not null,
    primary key (org_id, key),
    foreign key (org_id, purchase_id) references purchases deferrable initially deferred
  );
  create index idempotency_keys_by_time on idempotency_keys (org_id, created_at);

  create table download_links (
    org_id uuid not null,
    id uuid not null,
    purchase_id uuid not null,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    opened_count integer not null default 0,
    first_opened_at timestamptz(3),
    last_opened_at timestamptz(3),
    used_at timestamptz(3),
    revoked_at timestamptz(3),
    primary key (org_id, id),
    foreign key (org_id, purchase_id) references purchases
  );
  create index links_of_purchase on download_links (org_id, purchase_id, created_at desc, id desc);

  create table download_sessions (
    org_id uuid not null,
    id uuid not null,
    link_id uuid not null,
    -- What was bought never changes, so a session may hold it: sessions of a product are found without their links.
    product_id uuid not null,
    started_at timestamptz(3) not null,
    last_byte_at timestamptz(3) not null,
    bytes bigint not null default 0 check (bytes >= 0),
    completed_at timestamptz(3),
    client text check (client in ('browser', 'companion')),
    -- Whether every file that was begun went out whole; null before any was.
    sent_whole boolean,
    progress text not null generated always as (
      case
        when completed_at is not null then 'completed'
        when sent_whole then 'sent'
        when not sent_whole then 'partly'
        else 'started'
      end
    ) stored,
    primary key (org_id, id),
    foreign key (org_id, link_id) references download_links,
    foreign key (org_id, product_id) references products
  );
  create index sessions_oldest_first on download_sessions (org_id, started_at, id);
  create index sessions_of_link on download_sessions (org_id, link_id, last_byte_at);
  create index sessions_by_last_byte on download_sessions (org_id, last_byte_at);
  create index sessions_by_progress on download_sessions (org_id, progress, started_at, id);
  -- Progress comes last: sessions of every progress are in order of time, and those of one are found in the index.
  create index sessions_of_product on download_sessions (org_id, product_id, started_at, id, progress);

  create table download_session_files (
    org_id uuid not null,
    session_id uuid not null,
    version text not null,
    name text not null,
    size bigint not null check (size >= 0),
    -- The ranges, not their sum: what is resumed or fetched in parallel may go out twice.
    sent int8multirange not null,
    primary key (org_id, session_id, version, name),
    foreign key (org_id, session_id) references download_sessions
  );
`;

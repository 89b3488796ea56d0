import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  // What a line called its product: `sku_key` is that name folded, and stands on unmatched lines alone, with
  // the platform beside it, so that the count of unmatched SKUs reads one small index and nothing else.
  `alter table delivery_lines
    add column candidate text check (candidate in ('sku', 'vendor-id')),
    add column sku_key text,
    add column platform text`,
  `update delivery_lines line
    set candidate = 'sku', sku_key = lower(trim(line.sku)), platform = delivery.platform
    from deliveries delivery
    where delivery.org_id = line.org_id and delivery.id = line.delivery_id
      and line.outcome = 'unmatched' and line.reason not like 'The line “%'`,
  `create index lines_unmatched on delivery_lines (org_id, sku_key, platform, candidate, delivery_id)
    where sku_key is not null`,
  `create index lines_held on delivery_lines (org_id, product_id, delivery_id) where outcome = 'held'`,

  'alter table organisations add column alert_email text',
  // A mail collects alerts until it is closed, and from then on says the same at every try.
  `create table alert_mails (
    org_id uuid not null references organisations,
    id uuid not null,
    status text not null default 'collecting' check (status in ('collecting', 'owed', 'sent', 'refused')),
    attempts integer not null default 0,
    last_answer text,
    next_try_at timestamptz(3) not null,
    closed_at timestamptz(3),
    settled_at timestamptz(3),
    claim_id uuid,
    claimed_until timestamptz(3),
    primary key (org_id, id)
  )`,
  `create unique index alert_mails_collecting on alert_mails (org_id) where status = 'collecting'`,
  'create index alert_mails_closed on alert_mails (org_id, closed_at desc) where closed_at is not null',
  // Never removed: the key is what keeps one cause of one order from being told twice.
  `create table alerts (
    org_id uuid not null references organisations,
    about text not null,
    cause text not null check (cause in ('not-delivered', 'receipt-refused', 'unreadable')),
    mail_id uuid,
    delivery_id uuid,
    platform text,
    order_number text,
    customer_email text,
    reason text not null,
    at timestamptz(3) not null,
    primary key (org_id, about, cause),
    foreign key (org_id, mail_id) references alert_mails
  )`,
  'create index alerts_of_mail on alerts (org_id, mail_id, at)',

  // What waits for a job: small, for nearly everything is done.
  `create index deliveries_undecided on deliveries (org_id, id) where status = 'pending' and decided_at is null`,
  `create index receipts_owed on receipts (org_id, id) where status = 'owed'`,
  `create index alert_mails_open on alert_mails (org_id, id) where status in ('collecting', 'owed')`,

  'create index deliveries_of_body on deliveries (org_id, body_id)',
  'alter table delivery_bodies alter column bytes drop not null, add column received_at timestamptz(3)',
  `update delivery_bodies body
    set received_at = (
      select min(received_at) from deliveries
      where org_id = body.org_id and body_id = body.id
    )`,
  `create index bodies_oldest_first on delivery_bodies (received_at) where bytes is not null`,

  // Whose turn it is to do what one process does for all of them.
  `create table turns (
    name text primary key,
    due_at timestamptz(3) not null,
    taken_by uuid
  )`,
];

export const alertsAndRetention: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

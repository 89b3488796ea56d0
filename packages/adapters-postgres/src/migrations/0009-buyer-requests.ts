import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  // Global by nature: one mail may bring what was bought at several organisations, and nobody
  // knows which before its job has looked. A row is there only while its mail is owed.
  `create table link_mails (
    id uuid primary key,
    email_folded text unique,
    org_id uuid,
    purchase_id uuid,
    owed_since timestamptz(3) not null,
    attempts integer not null default 0,
    next_try_at timestamptz(3) not null,
    claim_id uuid,
    claimed_until timestamptz(3),
    links_made boolean not null,
    left_out boolean not null default false,
    unique (org_id, purchase_id),
    check ((email_folded is null) = (purchase_id is not null)),
    check ((org_id is null) = (purchase_id is null)),
    foreign key (org_id, purchase_id) references purchases
  )`,
  `create table link_mail_links (
    mail_id uuid not null references link_mails on delete cascade,
    org_id uuid not null,
    link_id uuid not null,
    primary key (mail_id, org_id, link_id),
    foreign key (org_id, link_id) references download_links
  )`,
  // The one question that is asked of all organisations at once: what was bought with an address?
  'create index customers_of_address on customers (email_folded)',
];

export const buyerRequests: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  // What was bought never changes, so a session may hold it: sessions of one product are found without their links.
  // Whether every file that was begun went out whole; null before any was.
  'alter table download_sessions add column product_id uuid, add column sent_whole boolean',
  `update download_sessions session
    set product_id = purchase.product_id,
      sent_whole = (
        select bool_and(int8range(0, file.size) <@ file.sent) from download_session_files file
        where file.org_id = session.org_id and file.session_id = session.id
      )
    from download_links link
    join purchases purchase on purchase.org_id = link.org_id and purchase.id = link.purchase_id
    where link.org_id = session.org_id and link.id = session.link_id`,
  `alter table download_sessions
    alter column product_id set not null,
    add foreign key (org_id, product_id) references products,
    add column progress text not null generated always as (
      case
        when completed_at is not null then 'completed'
        when sent_whole then 'sent'
        when not sent_whole then 'partly'
        else 'started'
      end
    ) stored`,
  'create index sessions_by_progress on download_sessions (org_id, progress, started_at, id)',
  // Progress stands last: sessions of every progress are in order of time, and of one are told apart in the index.
  'create index sessions_of_product on download_sessions (org_id, product_id, started_at, id, progress)',
];

export const downloadsPage: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

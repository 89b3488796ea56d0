import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  // Null: of the sessions that there were before, nobody knows.
  `alter table download_sessions add column client text check (client in ('browser', 'companion'))`,
  // The ranges, not their sum: what is resumed or fetched in parallel may go out twice.
  `create table download_session_files (
    org_id uuid not null,
    session_id uuid not null,
    version text not null,
    name text not null,
    size bigint not null check (size >= 0),
    sent int8multirange not null,
    primary key (org_id, session_id, version, name),
    foreign key (org_id, session_id) references download_sessions
  )`,
];

export const transfers: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

import type { Prunable } from '@handover/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { isDistributed } from '../../../distribution/is-distributed.ts';
import { firstIdAt } from '../../../statements/ids.ts';

/** Deletes old rows of one kind, up to a limit, and returns their number. Locked rows are left for the next run. */
export async function prune(
  db: Kysely<Schema>,
  what: Prunable,
  before: Date,
  limit: number,
): Promise<number> {
  const sweep = (await isDistributed(db)) ? OVER_NODES : ON_ONE_NODE;
  let removed = 0;
  for (const write of STATEMENTS[what]) {
    const { numAffectedRows } = await write(before, limit - removed, sweep).execute(db);
    removed += Number(numAffectedRows ?? 0);
    if (removed >= limit) break;
  }
  return removed;
}

type Write = (before: Date, limit: number, sweep: Sweep) => RawBuilder<unknown>;

/** How the old rows of all organisations are found. */
interface Sweep {
  /** The first of them, one organisation after the other: an index lookup for each that has none. */
  readonly ofOrganisations: (limit: number, old: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** At the end of a subquery that finds those of one connection. */
  readonly first: (limit: number) => RawBuilder<unknown>;
}

const ON_ONE_NODE: Sweep = {
  ofOrganisations: (limit, old) => sql`
    select old.* from organisations organisation
    cross join lateral (${old} limit ${limit} for update skip locked) old
    limit ${limit}
  `,
  first: (limit) => sql`limit ${limit} for update skip locked`,
};

/** A node finds its old rows by itself: Citus refuses limits and locks within. A row that is locked is waited for. */
const OVER_NODES: Sweep = {
  ofOrganisations: (limit, old) => sql`
    select old.* from organisations organisation
    cross join lateral (${old}) old
    limit ${limit}
  `,
  first: () => sql``,
};

const STATEMENTS: Readonly<Record<Prunable, readonly Write[]>> = {
  logEntries: [
    (before, limit, { ofOrganisations }) => sql`
      with old as (${ofOrganisations(
        limit,
        // Ids are in order of time, unless a clock was wrong: then an entry is kept longer.
        sql`
          select org_id, id from deliveries
          where org_id = organisation.id and id < ${firstIdAt(before)} and received_at < ${before}
            and status not in ('pending', 'held')
          order by id
        `,
      )}),
      lines as (
        delete from delivery_lines line using old where line.org_id = old.org_id and line.delivery_id = old.id
      )
      delete from deliveries entry using old where entry.org_id = old.org_id and entry.id = old.id
    `,
  ],
  downloads: [
    (before, limit, { ofOrganisations }) => sql`
      with old as (${ofOrganisations(
        limit,
        sql`
          select org_id, id from download_sessions
          where org_id = organisation.id and started_at < ${before} and last_byte_at < ${before}
          order by started_at
        `,
      )}),
      files as (
        delete from download_session_files file using old where file.org_id = old.org_id and file.session_id = old.id
      )
      delete from download_sessions session using old where session.org_id = old.org_id and session.id = old.id
    `,
  ],
  activity: [
    (before, limit, { ofOrganisations }) => sql`
      with old as (${ofOrganisations(
        limit,
        sql`
          select org_id, id from activity
          where org_id = organisation.id and id < ${firstIdAt(before)} and at < ${before}
          order by id
        `,
      )})
      delete from activity entry using old where entry.org_id = old.org_id and entry.id = old.id
    `,
  ],
  idempotencyKeys: [
    (before, limit, { ofOrganisations }) => sql`
      with old as (${ofOrganisations(
        limit,
        sql`
          select org_id, key from idempotency_keys
          where org_id = organisation.id and created_at < ${before}
          order by created_at
        `,
      )})
      delete from idempotency_keys taken using old where taken.org_id = old.org_id and taken.key = old.key
    `,
  ],
  proofs: [
    (before, limit, { first }) => sql`
      with old as (
        select old.* from connections connection
        cross join lateral (
          select min(created_at) as oldest from connection_secrets secret
          where secret.org_id = connection.org_id and secret.connection_id = connection.id
            and not connection.strict and (secret.expires_at is null or secret.expires_at >= ${before})
        ) verifying
        cross join lateral (
          select org_id, connection_id, fingerprint from used_proofs
          where org_id = connection.org_id and connection_id = connection.id
            and first_seen_at < least(${before}::timestamptz, verifying.oldest)
          order by first_seen_at
          ${first(limit)}
        ) old
        limit ${limit}
      )
      delete from used_proofs proof using old
      where proof.org_id = old.org_id and proof.connection_id = old.connection_id
        and proof.fingerprint = old.fingerprint
    `,
  ],
  signIns: [
    (before, limit) => removeEnded('sign_ins', 'id', 'expires_at', before, limit),
    (before, limit) => removeEnded('user_sessions', 'hash', 'expires_at', before, limit),
    (before, limit) => removeEnded('passkey_challenges', 'challenge', 'expires_at', before, limit),
  ],
  mailCounts: [
    (before, limit, { ofOrganisations }) => sql`
      with old as (${ofOrganisations(
        limit,
        sql`select org_id, hour from mail_counts where org_id = organisation.id and hour < ${before} order by hour`,
      )})
      delete from mail_counts counted using old where counted.org_id = old.org_id and counted.hour = old.hour
    `,
  ],
  throttles: [(before, limit) => removeEnded('throttles', 'key', 'window_ends_at', before, limit)],
};

/** For tables that belong to no organisation. */
function removeEnded(
  table: string,
  key: string,
  endsAt: string,
  before: Date,
  limit: number,
): RawBuilder<unknown> {
  return sql`
    delete from ${sql.table(table)} where ${sql.ref(key)} in (
      select ${sql.ref(key)} from ${sql.table(table)} where ${sql.ref(endsAt)} < ${before}
      order by ${sql.ref(endsAt)}
      limit ${limit}
      for update skip locked
    )
  `;
}

import type { Prunable } from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { isDistributed } from '../../../distribution/citus.ts';
import { firstIdAt } from '../../../statements/ids.ts';

/** Deletes old rows of one kind, up to a limit, and returns their number. Locked rows are left for the next run. */
export async function prune(db: Db, what: Prunable, before: Date, limit: number): Promise<number> {
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

/** Parts of statements that find the old rows of all organisations. */
interface Sweep {
  /** The first old rows, one organisation after the other. An organisation without any costs one index lookup. */
  readonly ofOrganisations: (limit: number, old: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** The end of a subquery that finds those of one connection. */
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

/** Each node finds its own old rows, without limits and `skip locked`, which Citus refuses there. It waits for locked rows. */
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
    removeOld('deliveries', 'id', 'id', {
      // Ids are in order of time, unless a clock was wrong: then an entry is kept longer.
      isOld: (before) =>
        sql`id < ${firstIdAt(before)} and received_at < ${before} and status not in ('pending', 'held')`,
      parts: [
        partOf('delivery_lines', 'delivery_id', 'id'),
        // Dismissals of orders and deliveries from before that time are about entries that are deleted now, or were before.
        (before) => ({
          table: 'dismissals',
          isPart: sql`gone.seen_at < ${before} and (gone.subject like 'order %' or gone.subject like 'delivery %')`,
        }),
      ],
    }),
  ],
  downloads: [
    removeOld('download_sessions', 'id', 'started_at', {
      isOld: (before) => sql`started_at < ${before} and last_byte_at < ${before}`,
      parts: [partOf('download_session_files', 'session_id', 'id')],
    }),
  ],
  activity: [
    removeOld('activity', 'id', 'id', {
      isOld: (before) => sql`id < ${firstIdAt(before)} and at < ${before}`,
    }),
  ],
  idempotencyKeys: [removeOld('idempotency_keys', 'key', 'created_at')],
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
    removeEnded('sign_ins', 'id', 'expires_at'),
    removeEnded('user_sessions', 'hash', 'expires_at'),
    removeEnded('passkey_challenges', 'challenge', 'expires_at'),
  ],
  mailCounts: [removeOld('mail_counts', 'hour', 'hour')],
  throttles: [removeEnded('throttles', 'key', 'window_ends_at')],
};

/** For tables of organisations: rows whose column `order` is before the time, or that are otherwise old. */
function removeOld(
  table: string,
  key: string,
  order: string,
  {
    isOld = (before) => sql`${sql.ref(order)} < ${before}`,
    parts = [],
  }: {
    readonly isOld?: (before: Date) => RawBuilder<unknown>;
    readonly parts?: readonly ((before: Date) => Part)[];
  } = {},
): Write {
  return (before, limit, { ofOrganisations }) => {
    const old = sql`
      select org_id, ${sql.ref(key)} from ${sql.table(table)}
      where org_id = organisation.id and ${isOld(before)}
      order by ${sql.ref(order)}
    `;
    const queries = [
      sql`old as (${ofOrganisations(limit, old)})`,
      ...parts.map((part, at) => sql`${sql.ref(`parts_${at}`)} as (${removePart(part(before))})`),
    ];
    return sql`with ${sql.join(queries)} ${removePart(partOf(table, key, key)())}`;
  };
}

/** The condition by which rows `gone` of a table belong to a row `old` of the same organisation. */
interface Part {
  readonly table: string;
  readonly isPart: RawBuilder<unknown>;
}

function partOf(table: string, column: string, key: string): () => Part {
  return () => ({ table, isPart: sql`${sql.ref(`gone.${column}`)} = ${sql.ref(`old.${key}`)}` });
}

function removePart({ table, isPart }: Part): RawBuilder<unknown> {
  return sql`delete from ${sql.table(table)} gone using old where gone.org_id = old.org_id and ${isPart}`;
}

/** For tables that belong to no organisation. */
function removeEnded(table: string, key: string, endsAt: string): Write {
  return (before, limit) => sql`
    delete from ${sql.table(table)} where ${sql.ref(key)} in (
      select ${sql.ref(key)} from ${sql.table(table)} where ${sql.ref(endsAt)} < ${before}
      order by ${sql.ref(endsAt)}
      limit ${limit}
      for update skip locked
    )
  `;
}

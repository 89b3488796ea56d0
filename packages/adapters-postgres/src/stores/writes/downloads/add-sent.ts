import { countBytes, MAX_PIECES, mergeRanges, type SentBytes } from '@handover/domain';
import { sql } from 'kysely';
import type { Db, Trx } from '../../../database/schema.ts';
import { runTransaction } from '../../../database/transact.ts';
import { createTurns, doTogether } from '../../../statements/batches.ts';
import { unnestRows } from '../../../statements/rows.ts';

interface SentReport {
  readonly orgId: string;
  readonly sessionId: string;
  readonly file: SentBytes;
  readonly at: Date;
}

/** Low, because pages use the same connections. */
const MAX_AT_ONCE = 2;

/**
 * Records the bytes that were sent. Each transfer reports once a second, so without batches many readers would need
 * as many transactions, which all wait for one session's row if they share a link.
 */
export function createSentRecorder(db: Db): (report: SentReport) => Promise<void> {
  return doTogether<SentReport, void>(db, {
    keyOf: ({ orgId }) => orgId,
    turns: createTurns(MAX_AT_ONCE),
    run: async (all) => {
      const orgId = all[0]?.orgId ?? '';
      await runTransaction(db, (trx) => addAll(trx, orgId, mergeByFile(all)));
      return all.map(() => undefined);
    },
  });
}

interface FileRow {
  readonly sessionId: string;
  readonly version: string;
  readonly name: string;
  readonly size: number;
  readonly ranges: SentBytes['ranges'];
  /** Bytes that were sent twice count twice. */
  readonly bytes: number;
  readonly at: Date;
}

/** A statement can update a row only once. */
function mergeByFile(all: readonly SentReport[]): readonly FileRow[] {
  const rows = new Map<string, FileRow>();
  for (const { sessionId, file, at } of all) {
    const key = JSON.stringify([sessionId, file.version, file.name]);
    const before = rows.get(key);
    rows.set(key, {
      sessionId,
      ...file,
      ranges: mergeRanges(before?.ranges ?? [], file.ranges),
      bytes: (before?.bytes ?? 0) + countBytes(file.ranges),
      at: before && before.at > at ? before.at : at,
    });
  }
  return [...rows.values()];
}

async function addAll(trx: Trx, orgId: string, files: readonly FileRow[]): Promise<void> {
  const sessionIds = [...new Set(files.map(({ sessionId }) => sessionId))];
  // Two processes may report on the same sessions: both lock the rows in the same order.
  if (sessionIds.length > 1)
    await sql`
      select from download_sessions where org_id = ${orgId} and id = any(${sessionIds}::uuid[])
      order by id for no key update
    `.execute(trx);
  const changed = (await upsertFiles(trx, orgId, files)).filter(
    ({ isWhole, sentWhole }) => isWhole !== sentWhole,
  );
  if (changed.length > 0) await updateSentWhole(trx, orgId, [...new Set(changed.map(({ id }) => id))]);
}

/** Keeps the latest time: parallel requests need not report in the order of their times. */
async function upsertFiles(trx: Trx, orgId: string, files: readonly FileRow[]) {
  const rows = files.map((file) => ({ ...file, ranges: writeMultirange(file.ranges) }));
  const { rows: written } = await sql<{
    readonly id: string;
    readonly isWhole: boolean;
    readonly sentWhole: boolean | null;
  }>`
    with reported as materialized (
      select * from ${unnestRows(rows).as(`file (
        session_id uuid, version text, name text, size bigint, ranges text, bytes bigint, at timestamptz
      )`)}
    ),
    session as (
      update download_sessions session
      set bytes = session.bytes + whole.bytes, last_byte_at = greatest(session.last_byte_at, whole.at)
      from (select session_id, sum(bytes) as bytes, max(at) as at from reported group by session_id) whole
      where session.org_id = ${orgId} and session.id = whole.session_id
      returning session.id, session.sent_whole
    ),
    written as (
      insert into download_session_files as file (org_id, session_id, version, name, size, sent)
      select ${orgId}::uuid, session.id, reported.version, reported.name, reported.size, reported.ranges::int8multirange
      from reported join session on session.id = reported.session_id
      on conflict (org_id, session_id, version, name) do update
      set sent = case
        when (select count(*) from unnest(file.sent + excluded.sent)) <= ${MAX_PIECES}
        then file.sent + excluded.sent
        else file.sent
      end
      returning file.session_id, int8range(0, file.size) <@ file.sent as is_whole
    )
    select session.id, written.is_whole as "isWhole", session.sent_whole as "sentWhole"
    from written join session on session.id = written.session_id
  `.execute(trx);
  return written;
}

/**
 * Records whether every file of the sessions was sent whole. This is a separate statement, after the one that locks
 * the sessions' rows, so that it sees what others reported about other files meanwhile.
 */
async function updateSentWhole(trx: Trx, orgId: string, sessionIds: readonly string[]): Promise<void> {
  await sql`
    update download_sessions session
    set sent_whole = (
      select bool_and(int8range(0, file.size) <@ file.sent) from download_session_files file
      where file.org_id = ${orgId} and file.session_id = session.id
    )
    where session.org_id = ${orgId} and session.id = any(${sessionIds}::uuid[])
  `.execute(trx);
}

function writeMultirange(ranges: SentBytes['ranges']): string {
  return `{${ranges.map(({ start, end }) => `[${start},${end})`).join(',')}}`;
}

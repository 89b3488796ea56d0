import type { CompletedDownload, DownloadClient, DownloadSessions } from '@handover/domain';
import { MAX_SESSIONS_PER_LINK, SESSION_PAUSE_MS } from '@handover/domain';
import { sql } from 'kysely';
import type { Db, Trx } from '../../../database/schema.ts';
import { runTransaction } from '../../../database/transact.ts';
import { doTogether } from '../../../statements/batches.ts';
import { areIds } from '../../../statements/ids.ts';
import { reportSessions } from '../../reads/downloads/report-sessions.ts';
import { searchSessions, showSession } from '../../reads/downloads/search-sessions.ts';
import { findProgress } from '../../reads/downloads/session-progress.ts';
import { insertActivity } from '../audit/insert-activity.ts';
import { createSentRecorder } from './add-sent.ts';

export function createPostgresDownloadSessions(db: Db): DownloadSessions {
  const recordSent = createSentRecorder(db);
  // Concurrent requests of one link join one session.
  const joinTogether = doTogether<Joining, string | null>(db, {
    keyOf: ({ orgId, linkId }) => `${orgId} ${linkId}`,
    run: async (all) => {
      const [first] = all;
      const joined = first ? await joinOrBegin(db, first) : null;
      return all.map(() => joined);
    },
  });
  return {
    begin: async (orgId, linkId, request) => {
      if (!areIds(orgId, linkId)) return null;
      const { joining } = request;
      const named = joining === null ? null : await findSession(db, orgId, linkId, joining);
      return named?.completed_at === null ? named.id : joinTogether({ ...request, orgId, linkId });
    },

    addSent: async (orgId, sessionId, file, at) => {
      if (areIds(orgId, sessionId)) await recordSent({ orgId, sessionId, file, at });
    },

    latest: async (orgId, linkId) => (areIds(orgId, linkId) ? findProgress(db, orgId, linkId) : null),

    complete: async (orgId, linkId, completion) => {
      if (!areIds(orgId, linkId)) return { kind: 'unknown' };
      return runTransaction(db, (trx) => complete(trx, orgId, linkId, completion));
    },

    search: (orgId, query) => searchSessions(db, orgId, query),
    show: (orgId, sessionId) => showSession(db, orgId, sessionId),

    async *list(orgId, period) {
      if (areIds(orgId)) yield* reportSessions(db, orgId, period);
    },
  };
}

interface Joining {
  readonly orgId: string;
  readonly linkId: string;
  readonly sessionId: string;
  readonly client: DownloadClient;
  readonly at: Date;
}

/** Returns the session that the request belongs to; null for an unknown link. */
async function joinOrBegin(
  db: Db,
  { orgId, linkId, sessionId, client, at }: Joining,
): Promise<string | null> {
  // Most requests join a session: those need no lock.
  const joined = await findJoinable(db, orgId, linkId, at);
  if (joined !== null) return joined;
  return runTransaction(db, async (trx) => {
    if (!(await holdLink(trx, orgId, linkId))) return null;
    const begunMeanwhile = await findJoinable(trx, orgId, linkId, at);
    if (begunMeanwhile !== null) return begunMeanwhile;
    const last = await findLastAllowed(trx, orgId, linkId);
    if (last) return last.id;
    await sql`
      insert into download_sessions (org_id, id, link_id, client, started_at, last_byte_at, product_id)
      select link.org_id, ${sessionId}::uuid, link.id, ${client}::text, ${at}::timestamptz, ${at}::timestamptz, product_id
      from download_links link
      join purchases purchase on purchase.org_id = ${orgId} and purchase.id = link.purchase_id
      where link.org_id = ${orgId} and link.id = ${linkId}
    `.execute(trx);
    return sessionId;
  });
}

/** Locks the link's row: of two concurrent requests, the second waits and then finds the first one's result. */
async function complete(
  trx: Trx,
  orgId: string,
  linkId: string,
  { sessionId, at, activity }: Parameters<DownloadSessions['complete']>[2],
): Promise<CompletedDownload> {
  const link = await holdLink(trx, orgId, linkId);
  if (!link) return { kind: 'unknown' };
  if (link.revoked_at !== null) return { kind: 'revoked' };
  const session =
    sessionId === null
      ? await findLatest(trx, orgId, linkId)
      : await findSession(trx, orgId, linkId, sessionId);
  if (!session && sessionId !== null) return { kind: 'unknown-session' };
  const isNew = session ? session.completed_at === null : link.used_at === null;
  const usedAt = link.used_at ?? at;
  if (link.used_at === null) {
    await trx
      .updateTable('download_links')
      .set({ used_at: usedAt })
      .where('org_id', '=', orgId)
      .where('id', '=', linkId)
      .execute();
  }
  if (isNew && session) {
    await trx
      .updateTable('download_sessions')
      .set({ completed_at: at })
      .where('org_id', '=', orgId)
      .where('id', '=', session.id)
      .execute();
  }
  if (isNew) await insertActivity(trx, orgId, [activity]);
  return { kind: 'completed', sessionId: session?.id ?? null, usedAt };
}

/** Of two requests of one link that begin at the same moment, the second waits here and then finds the first one's session. */
async function holdLink(trx: Trx, orgId: string, linkId: string) {
  return trx
    .selectFrom('download_links')
    .select(['used_at', 'revoked_at'])
    .where('org_id', '=', orgId)
    .where('id', '=', linkId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

function sessionsOf(db: Db, orgId: string, linkId: string) {
  return db
    .selectFrom('download_sessions')
    .select(['id', 'last_byte_at', 'completed_at'])
    .where('org_id', '=', orgId)
    .where('link_id', '=', linkId);
}

async function findSession(db: Db, orgId: string, linkId: string, sessionId: string) {
  if (!areIds(sessionId)) return undefined;
  return sessionsOf(db, orgId, linkId).where('id', '=', sessionId).executeTakeFirst();
}

async function findLatest(db: Db, orgId: string, linkId: string) {
  return sessionsOf(db, orgId, linkId)
    .orderBy('last_byte_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The latest session of a link that must not begin another one yet; undefined if it may. */
async function findLastAllowed(trx: Trx, orgId: string, linkId: string) {
  const begun = await sessionsOf(trx, orgId, linkId).limit(MAX_SESSIONS_PER_LINK).execute();
  return begun.length < MAX_SESSIONS_PER_LINK ? undefined : findLatest(trx, orgId, linkId);
}

async function findJoinable(db: Db, orgId: string, linkId: string, at: Date): Promise<string | null> {
  const latest = await findLatest(db, orgId, linkId);
  if (!latest || latest.completed_at !== null) return null;
  return at.getTime() - latest.last_byte_at.getTime() <= SESSION_PAUSE_MS ? latest.id : null;
}

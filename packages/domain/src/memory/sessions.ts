import { countBytes, MAX_PIECES, mergeRanges } from '../model/byte-ranges.ts';
import { MAX_SESSIONS_PER_LINK, SESSION_PAUSE_MS, type SentBytes } from '../model/download-session.ts';
import type { CompletedDownload, DownloadSessions } from '../ports/downloads.ts';
import { type Memory, rowsWhere } from './memory.ts';
import type { SessionRow } from './rows.ts';
import { createInMemorySessionLists, describeProgress } from './session-lists.ts';

export function createInMemoryDownloadSessions(memory: Memory): DownloadSessions {
  return {
    begin: async (orgId, linkId, { sessionId, joining, client, at }) => {
      if (memory.links.get(linkId)?.orgId !== orgId) return null;
      const named = joining === null ? undefined : memory.sessions.get(joining);
      if (named?.linkId === linkId && named.completedAt === null) return named.id;
      const latest = latestOf(memory, linkId);
      const isOpen = latest?.completedAt === null;
      if (isOpen && at.getTime() - latest.lastByteAt.getTime() <= SESSION_PAUSE_MS) return latest.id;
      const begun = rowsWhere(memory.sessions, { linkId });
      if (latest && begun.length >= MAX_SESSIONS_PER_LINK) return latest.id;
      const times = { startedAt: at, lastByteAt: at, completedAt: null };
      memory.sessions.set(sessionId, { id: sessionId, orgId, linkId, client, ...times, bytes: 0, files: [] });
      return sessionId;
    },
    addSent: async (orgId, sessionId, sent, at) => {
      const session = memory.sessions.get(sessionId);
      if (session?.orgId !== orgId) return;
      memory.sessions.set(sessionId, {
        ...session,
        bytes: session.bytes + countBytes(sent.ranges),
        lastByteAt: new Date(Math.max(at.getTime(), session.lastByteAt.getTime())),
        files: addToFiles(session.files, sent),
      });
    },
    latest: async (orgId, linkId) => {
      const session = latestOf(memory, linkId);
      return session?.orgId === orgId ? describeProgress(session) : null;
    },
    complete: async (orgId, linkId, completion) => complete(memory, orgId, linkId, completion),
    ...createInMemorySessionLists(memory),
  };
}

function latestOf({ sessions }: Memory, linkId: string): SessionRow | undefined {
  return [...sessions.values()]
    .filter((session) => session.linkId === linkId)
    .sort((a, b) => b.lastByteAt.getTime() - a.lastByteAt.getTime() || (a.id < b.id ? 1 : -1))[0];
}

function addToFiles(files: readonly SentBytes[], sent: SentBytes): readonly SentBytes[] {
  const isSame = ({ version, name }: SentBytes) => version === sent.version && name === sent.name;
  const before = files.find(isSame)?.ranges ?? [];
  const united = mergeRanges(before, sent.ranges);
  const ranges = united.length <= MAX_PIECES ? united : before;
  return [...files.filter((file) => !isSame(file)), { ...sent, ranges }];
}

function complete(
  memory: Memory,
  orgId: string,
  linkId: string,
  { sessionId, at, activity }: Parameters<DownloadSessions['complete']>[2],
): CompletedDownload {
  const link = memory.links.get(linkId);
  if (link?.orgId !== orgId) return { kind: 'unknown' };
  if (link.revokedAt !== null) return { kind: 'revoked' };
  const named = sessionId === null ? undefined : memory.sessions.get(sessionId);
  if (sessionId !== null && named?.linkId !== linkId) return { kind: 'unknown-session' };
  const session = named ?? latestOf(memory, linkId);
  const isNew = session ? session.completedAt === null : link.usedAt === null;
  const usedAt = link.usedAt ?? at;
  memory.links.set(linkId, { ...link, usedAt });
  if (isNew) memory.activity.set(activity.id, { ...activity, orgId });
  if (isNew && session) memory.sessions.set(session.id, { ...session, completedAt: at });
  return { kind: 'completed', sessionId: session?.id ?? null, usedAt };
}

import { NO_ORGANISATION } from '../model/outgoing-email.ts';
import {
  MAX_OPEN_SIGN_INS,
  MAX_SESSIONS_PER_USER,
  type OpenSignIn,
  type PendingSignInMail,
  type StoredSession,
} from '../model/sign-in.ts';
import type { SignIns, Throttles, UserSessions } from '../ports/access.ts';
import type { MailCounts } from '../ports/mails.ts';
import { freshEmail } from './fresh-rows.ts';
import { findUser, type Memory, queueEmail, rowsWhere } from './memory.ts';
import type { EmailRow, SignInRow } from './rows.ts';

export function createInMemorySignIns(memory: Memory): SignIns {
  return {
    add: async ({ id, email, createdAt, expiresAt, returnTo }, notice) => {
      const user = findUser(memory, email);
      if (!user) return 'unknown-user';
      if (memory.signIns.has(id)) return 'added';
      const state = { redeemed: false, withdrawn: false };
      memory.signIns.set(id, { id, userId: user.id, createdAt, expiresAt, returnTo, ...state });
      withdrawOlder(memory, user.id, MAX_OPEN_SIGN_INS);
      if (notice === 'mail') {
        const email = freshEmail('sign-in', { id, orgId: NO_ORGANISATION, createdAt });
        memory.emails.set(id, email);
        queueEmail(memory, email, createdAt);
      }
      return 'added';
    },
    findOpen: async (signInId, now) => describeOpen(memory, signInId, now),
    find: async (signInId) => {
      const row = memory.signIns.get(signInId);
      const user = row && memory.users.get(row.userId);
      if (!row || !user) return null;
      const membership = membershipOf(memory, user.id);
      const orgId = membership?.orgId ?? null;
      const subscriptionExpiresAt = membership?.subscriptionExpiresAt ?? null;
      const { expiresAt, returnTo, redeemed, withdrawn } = row;
      const who = { id: user.id, email: user.email, orgId, subscriptionExpiresAt };
      return { user: who, expiresAt, returnTo, redeemed, withdrawn };
    },
    redeem: async (signInId, session, present = null) => {
      const row = findOpen(memory, signInId, session.createdAt);
      if (!row) return 'too-late';
      memory.signIns.set(signInId, { ...row, redeemed: true });
      const entered = enterSession(memory, row.userId, session, present);
      return entered === 'confirmed' ? 'confirmed' : 'redeemed';
    },
  };
}

/** A mail whose link would not let its recipient in is deleted. */
export function prepareSignIn(
  memory: Memory,
  { id, pendingSince, attempts }: EmailRow,
  now: Date,
): PendingSignInMail | { readonly kind: 'not-pending' } {
  const signIn = describeOpen(memory, id, now);
  if (!signIn) {
    memory.emails.delete(id);
    return { kind: 'not-pending' };
  }
  const { orgId, user: to, createdAt: requestedAt } = signIn;
  return { kind: 'sign-in', id, orgId, to, requestedAt, pendingSince, attempts };
}

function describeOpen(memory: Memory, signInId: string, now: Date): OpenSignIn | null {
  const row = findOpen(memory, signInId, now);
  const user = row && memory.users.get(row.userId);
  if (!row || !user) return null;
  const orgId = user.membership?.orgId ?? null;
  return { orgId, user: { email: user.email, name: user.name }, createdAt: row.createdAt };
}

function findOpen({ signIns }: Memory, signInId: string, now: Date): SignInRow | null {
  const row = signIns.get(signInId);
  return row && !row.redeemed && !row.withdrawn && row.expiresAt > now ? row : null;
}

export function createInMemoryUserSessions(memory: Memory): UserSessions {
  return {
    find: async (hash, now) => {
      const row = memory.userSessions.get(hash);
      const user = row && memory.users.get(row.userId);
      if (!row || !user || row.expiresAt <= now) return null;
      const { userId, ...session } = row;
      const who = { userId, email: user.email, name: user.name };
      return { ...who, membership: membershipOf(memory, userId), session };
    },
    begin: async (userId, session, present) =>
      memory.users.has(userId) ? enterSession(memory, userId, session, present) : 'unknown-user',
    prolong: async (hash, seen) => {
      const row = memory.userSessions.get(hash);
      if (row && seen.lastSeenAt > row.lastSeenAt) memory.userSessions.set(hash, { ...row, ...seen });
    },
    list: async (userId, now) =>
      rowsWhere(memory.userSessions, { userId })
        .filter((row) => row.expiresAt > now)
        .map(({ userId: _, ...session }) => session)
        .sort((a, b) => b.lastSeenAt.getTime() - a.lastSeenAt.getTime() || (a.hash < b.hash ? -1 : 1)),
    endOne: async (userId, hash) =>
      memory.userSessions.get(hash)?.userId === userId && memory.userSessions.delete(hash),
    end: async (hash) => memory.userSessions.delete(hash),
    endAll: async (userId, keptHash) => endSessions(memory, userId, keptHash),
  };
}

/** Begins the session, or confirms the present one if it is of the same user. */
function enterSession(
  memory: Memory,
  userId: string,
  session: StoredSession,
  present: string | null,
): 'begun' | 'confirmed' {
  const current = present === null ? undefined : memory.userSessions.get(present);
  if (current?.userId === userId && current.expiresAt > session.createdAt) {
    memory.userSessions.set(current.hash, { ...current, confirmedAt: session.createdAt });
    return 'confirmed';
  }
  beginSession(memory, userId, session);
  return 'begun';
}

/** Begins a session, and ends those of the user that exceed the limit. */
export function beginSession({ userSessions }: Memory, userId: string, session: StoredSession): void {
  userSessions.set(session.hash, { ...session, userId });
  keepNewest(userSessions, userId, MAX_SESSIONS_PER_USER);
}

/** Ends all sessions of a user, and withdraws the sign-ins that are still open. */
export function endSessions(memory: Memory, userId: string, keptHash: string | null = null): number {
  const ended = rowsWhere(memory.userSessions, { userId }).filter(({ hash }) => hash !== keptHash);
  for (const { hash } of ended) memory.userSessions.delete(hash);
  withdrawOlder(memory, userId, 0);
  return ended.length;
}

/** Withdraws the open sign-ins of a user, except for the newest ones up to the limit. */
function withdrawOlder({ signIns }: Memory, userId: string, limit: number): void {
  const open = [...signIns].filter(([, row]) => row.userId === userId && !row.redeemed && !row.withdrawn);
  for (const [id, row] of newestFirst(open).slice(limit)) signIns.set(id, { ...row, withdrawn: true });
}

function keepNewest(
  rows: Map<string, StoredSession & { readonly userId: string }>,
  userId: string,
  limit: number,
) {
  const own = [...rows].filter(([, row]) => row.userId === userId);
  for (const [key] of newestFirst(own).slice(limit)) rows.delete(key);
}

function newestFirst<Row extends readonly [string, { readonly createdAt: Date }]>(rows: readonly Row[]) {
  return rows.toReversed().sort(([, a], [, b]) => b.createdAt.getTime() - a.createdAt.getTime());
}

function membershipOf({ users, organisations }: Memory, userId: string) {
  const membership = users.get(userId)?.membership;
  const organisation = membership && organisations.get(membership.orgId);
  if (!membership || !organisation) return null;
  const { name: organisationName, subscriptionExpiresAt } = organisation;
  return { ...membership, organisationName, subscriptionExpiresAt };
}

export function createInMemoryThrottles({ throttles }: Memory): Throttles {
  return {
    count: async (key, windowMs, at, tries = 1) => {
      const open = throttles.get(key);
      const counted =
        open && open.windowEndsAt > at
          ? { ...open, tries: open.tries + tries }
          : { tries, windowEndsAt: new Date(at.getTime() + windowMs) };
      throttles.set(key, counted);
      return counted;
    },
    find: async (key, at) => {
      const open = throttles.get(key);
      return open && open.windowEndsAt > at ? open : null;
    },
  };
}

export function createInMemoryMailCounts({ mailCounts }: Memory): MailCounts {
  const keyOf = (orgId: string, hour: Date) => `${orgId} ${hour.getTime()}`;
  return {
    take: async (orgId, hour, max) => {
      const sent = mailCounts.get(keyOf(orgId, hour)) ?? 0;
      if (max !== null && sent >= max) return false;
      mailCounts.set(keyOf(orgId, hour), sent + 1);
      return true;
    },
    giveBack: async (orgId, hour) => {
      const sent = mailCounts.get(keyOf(orgId, hour)) ?? 0;
      mailCounts.set(keyOf(orgId, hour), Math.max(0, sent - 1));
    },
  };
}

import type { StoredSession } from '../access/sign-in.ts';
import { MAX_OPEN_SIGN_INS, MAX_SESSIONS_PER_USER } from '../access/sign-in.ts';
import type { MailCounts, SignIns, Throttles, UserSessions } from '../ports.ts';
import { foldEmail } from '../purchases/email.ts';
import type { Memory, SignInRow } from './memory.ts';
import { jobKey } from './memory.ts';

export function createInMemorySignIns(memory: Memory): SignIns {
  return {
    add: async ({ id, email, createdAt, expiresAt }, delivery) => {
      const user = [...memory.users.values()].find((one) => foldEmail(one.email) === foldEmail(email));
      if (!user) return 'unknown-user';
      memory.signIns.set(id, { id, userId: user.id, createdAt, expiresAt, redeemed: false });
      keepNewest(memory.signIns, user.id, MAX_OPEN_SIGN_INS);
      if (delivery === 'mail') {
        const job = { kind: 'send-sign-in-link', signInId: id, startAfter: createdAt } as const;
        memory.jobs.set(jobKey(job), job);
      }
      return 'added';
    },
    findOpen: async (signInId, now) => {
      const row = findOpen(memory, signInId, now);
      const user = row && memory.users.get(row.userId);
      if (!row || !user) return null;
      const { id, createdAt, expiresAt } = row;
      const orgId = user.membership?.orgId ?? null;
      return { id, orgId, user: { email: user.email, name: user.name }, createdAt, expiresAt };
    },
    redeem: async (signInId, session) => {
      const row = findOpen(memory, signInId, session.createdAt);
      if (!row) return 'too-late';
      memory.signIns.set(signInId, { ...row, redeemed: true });
      beginSession(memory, row.userId, session);
      return 'redeemed';
    },
  };
}

function findOpen({ signIns }: Memory, signInId: string, now: Date): SignInRow | null {
  const row = signIns.get(signInId);
  return row && !row.redeemed && row.expiresAt > now ? row : null;
}

export function createInMemoryUserSessions(memory: Memory): UserSessions {
  return {
    find: async (hash, now) => {
      const row = memory.userSessions.get(hash);
      const user = row && memory.users.get(row.userId);
      if (!row || !user || row.expiresAt <= now) return null;
      const { createdAt, expiresAt } = row;
      const who = { userId: user.id, email: user.email, name: user.name };
      return { ...who, membership: membershipOf(memory, user.id), session: { hash, createdAt, expiresAt } };
    },
    prolong: async (hash, expiresAt) => {
      const row = memory.userSessions.get(hash);
      if (row) memory.userSessions.set(hash, { ...row, expiresAt });
    },
    end: async (hash) => {
      memory.userSessions.delete(hash);
    },
    endAll: async (userId) => endSessions(memory, userId),
  };
}

/** Begins a session, and ends those of the user that are too many. */
export function beginSession({ userSessions }: Memory, userId: string, session: StoredSession): void {
  userSessions.set(session.hash, { ...session, userId });
  keepNewest(userSessions, userId, MAX_SESSIONS_PER_USER);
}

/** Ends all sessions of a user, and the sign-ins that are still open. */
export function endSessions(memory: Memory, userId: string): void {
  keepNewest(memory.userSessions, userId, 0);
  keepNewest(memory.signIns, userId, 0);
}

function keepNewest(
  rows: Map<string, { readonly userId: string; readonly createdAt: Date }>,
  userId: string,
  limit: number,
): void {
  const own = [...rows].filter(([, row]) => row.userId === userId).reverse();
  own.sort(([, a], [, b]) => b.createdAt.getTime() - a.createdAt.getTime());
  for (const [key] of own.slice(limit)) rows.delete(key);
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

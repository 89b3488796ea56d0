import { SESSION_SEEN_INTERVAL_MS, type SignedIn, sessionExpiry } from '../model/sign-in.ts';
import type { UserSessions } from '../ports/access.ts';
import type { Clock } from '../ports/clock.ts';
import type { SessionTokens } from '../ports/tokens.ts';

interface SessionPorts {
  readonly sessionTokens: SessionTokens;
  readonly userSessions: Pick<UserSessions, 'end' | 'endAll' | 'find' | 'prolong'>;
}

/** Finds the user of a session's token; null if it is unknown or has ended. Each use extends the session: see `sessionExpiry`. */
export async function identifySession(
  ports: SessionPorts & { readonly clock: Clock },
  token: string,
): Promise<SignedIn | null> {
  const hash = ports.sessionTokens.hash(token);
  if (hash === null) return null;
  const now = ports.clock.now();
  const signedIn = await ports.userSessions.find(hash, now);
  if (!signedIn) return null;
  const { createdAt, lastSeenAt } = signedIn.session;
  if (now.getTime() - lastSeenAt.getTime() >= SESSION_SEEN_INTERVAL_MS) {
    await ports.userSessions.prolong(hash, { lastSeenAt: now, expiresAt: sessionExpiry(createdAt, now) });
  }
  return signedIn;
}

/** Ends this session. False: it had ended before. */
export async function signOut(ports: SessionPorts, token: string): Promise<boolean> {
  const hash = ports.sessionTokens.hash(token);
  return hash !== null && ports.userSessions.end(hash);
}

/** Ends all sessions of a user, and withdraws open sign-in links. */
export async function signOutEverywhere(
  ports: Pick<SessionPorts, 'userSessions'>,
  userId: string,
): Promise<void> {
  await ports.userSessions.endAll(userId, null);
}

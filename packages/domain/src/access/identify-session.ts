import { type SignedIn, sessionExpiry } from '../model/sign-in.ts';
import type { SessionTokens, UserSessions } from '../ports/access.ts';
import type { Clock } from '../ports/clock.ts';

/** A use within this of the last one that was written down is not worth another write. */
const RENEW_AFTER_MS = 60 * 60 * 1000;

interface SessionPorts {
  readonly sessionTokens: SessionTokens;
  readonly userSessions: Pick<UserSessions, 'end' | 'endAll' | 'find' | 'prolong'>;
}

/** Who holds a session's token; null for one that is junk, unknown, expired or signed out. Using it prolongs it. */
export async function identifySession(
  ports: SessionPorts & { readonly clock: Clock },
  token: string,
): Promise<SignedIn | null> {
  const hash = ports.sessionTokens.hash(token);
  if (hash === null) return null;
  const now = ports.clock.now();
  const signedIn = await ports.userSessions.find(hash, now);
  if (!signedIn) return null;
  const expiresAt = sessionExpiry(signedIn.session.createdAt, now);
  if (expiresAt.getTime() - signedIn.session.expiresAt.getTime() >= RENEW_AFTER_MS) {
    await ports.userSessions.prolong(hash, expiresAt);
  }
  return signedIn;
}

/** Ends this session. False: it had ended before. */
export async function signOut(ports: SessionPorts, token: string): Promise<boolean> {
  const hash = ports.sessionTokens.hash(token);
  return hash !== null && ports.userSessions.end(hash);
}

/** Ends every session of a user, and the links that could begin one. */
export async function signOutEverywhere(
  ports: Pick<SessionPorts, 'userSessions'>,
  userId: string,
): Promise<void> {
  await ports.userSessions.endAll(userId);
}

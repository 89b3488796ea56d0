import type { PendingEmailFacts } from './pending-email.ts';
import type { Caller, Role } from './user.ts';

/** How long a mailed link signs its reader in. */
export const SIGN_IN_LIFETIME_MS = 15 * 60 * 1000;

/** A user has at most so many sessions; one more ends the oldest. */
export const MAX_SESSIONS_PER_USER = 50;

/** As above, of links that still work. More than the throttle of sign-ins lets anybody ask for. */
export const MAX_OPEN_SIGN_INS = 20;

const DAY_MS = 24 * 60 * 60 * 1000;
const SESSION_IDLE_MS = 14 * DAY_MS;
const SESSION_LIFETIME_MS = 90 * DAY_MS;

/** A session ends 14 days after it was last used, and 90 days after it began at the latest. */
export function sessionExpiry(createdAt: Date, usedAt: Date): Date {
  return new Date(Math.min(usedAt.getTime() + SESSION_IDLE_MS, createdAt.getTime() + SESSION_LIFETIME_MS));
}

/** A link that was asked for and neither used nor expired yet. */
export interface OpenSignIn {
  /** The organisation of the user; null: of none. */
  readonly orgId: string | null;
  readonly user: { readonly email: string; readonly name: string | null };
  readonly createdAt: Date;
}

/** A sign-in as it is kept, whatever became of it. */
export interface SignInRecord {
  readonly user: {
    readonly id: string;
    readonly email: string;
    readonly orgId: string | null;
    readonly subscriptionExpiresAt: Date | null;
  };
  readonly expiresAt: Date;
  /** The page that its user was on; null: the first page. */
  readonly returnTo: string | null;
  readonly redeemed: boolean;
  /** Its user ended all sessions while it was open. */
  readonly withdrawn: boolean;
}

/** A session as it is kept: never its token. */
export interface StoredSession {
  /** SHA-256 of the token, 64 lower-case hex digits. */
  readonly hash: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** The browser and the network in a coarse form. Null: it began before this was recorded. */
  readonly client: string | null;
  /** To within `SESSION_SEEN_INTERVAL_MS`. */
  readonly lastSeenAt: Date;
  /** When its user last proved to be the user: at its beginning, or since. */
  readonly confirmedAt: Date;
}

/** A use within this of the last one that was recorded is not worth another write. */
export const SESSION_SEEN_INTERVAL_MS = 5 * 60 * 1000;

/** A session that begins, in this browser. */
export function newSession(hash: string, client: string, at: Date): StoredSession {
  return { hash, createdAt: at, expiresAt: sessionExpiry(at, at), client, lastSeenAt: at, confirmedAt: at };
}

/** For so long after a sign-in, or its confirmation, keys and secrets may be shown and replaced, and roles given. */
export const FRESH_FOR_MS = 30 * 60 * 1000;

/** Whether the user of a session proved lately to be the user: a forgotten browser is not enough for keys, secrets and roles. */
export function isFresh({ confirmedAt }: Pick<StoredSession, 'confirmedAt'>, now: Date): boolean {
  return now.getTime() - confirmedAt.getTime() < FRESH_FOR_MS;
}

/** A browser in which a user signs in, known by the hash of a token in a cookie of its own. */
export interface SeenDevice {
  readonly id: string;
  readonly hash: string;
  readonly client: string;
  readonly at: Date;
}

/** A user has at most so many known devices; the ones seen last stay. */
export const MAX_DEVICES_PER_USER = 50;

/** All that the mail about a sign-in in a new browser says. */
export interface NewDeviceMail {
  readonly kind: 'new-device';
  readonly mailId: string;
  /** The organisation of the user; null: of none. */
  readonly orgId: string | null;
  readonly to: { readonly email: string; readonly name: string | null };
  readonly client: string;
  readonly at: Date;
  /** The page that lists sessions. */
  readonly url: string;
}

/** A mail about a sign-in from a new device, to be sent now. */
export interface PendingNewDeviceMail
  extends Pick<NewDeviceMail, 'kind' | 'orgId' | 'to' | 'client' | 'at'>,
    PendingEmailFacts {}

/** Who is at the dashboard, and in which session. */
export interface SignedIn extends Caller {
  readonly name: string | null;
  readonly membership: {
    readonly orgId: string;
    readonly organisationName: string;
    readonly role: Role;
    readonly subscriptionExpiresAt: Date | null;
  } | null;
  readonly session: StoredSession;
}

/** All that the mail says. */
export interface SignInMail {
  readonly kind: 'sign-in';
  readonly mailId: string;
  /** The organisation of the user; null: of none. */
  readonly orgId: string | null;
  readonly to: { readonly email: string; readonly name: string | null };
  readonly url: string;
  readonly requestedAt: Date;
}

/** A mail that is to be sent now. */
export interface PendingSignInMail extends Pick<SignInMail, 'kind' | 'orgId' | 'to'>, PendingEmailFacts {
  readonly requestedAt: Date;
}

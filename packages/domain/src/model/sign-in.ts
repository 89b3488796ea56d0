import type { PendingEmailFacts } from './pending-email.ts';
import type { Caller, Role } from './user.ts';

/** How long a sign-in link works. */
export const SIGN_IN_LIFETIME_MS = 15 * 60 * 1000;

/** The maximum number of sessions of a user. One more ends the oldest. */
export const MAX_SESSIONS_PER_USER = 50;

/** The maximum number of sign-in links of a user that work. One more ends the oldest. The throttle allows fewer. */
export const MAX_OPEN_SIGN_INS = 20;

const DAY_MS = 24 * 60 * 60 * 1000;
const SESSION_IDLE_MS = 14 * DAY_MS;
const SESSION_LIFETIME_MS = 90 * DAY_MS;

/** When a session expires: 14 days after its last use, and at the latest 90 days after it began. */
export function sessionExpiry(createdAt: Date, usedAt: Date): Date {
  return new Date(Math.min(usedAt.getTime() + SESSION_IDLE_MS, createdAt.getTime() + SESSION_LIFETIME_MS));
}

/** A sign-in that was not used or withdrawn and has not expired. */
export interface OpenSignIn {
  /** The organisation of the user, or null. */
  readonly orgId: string | null;
  readonly user: { readonly email: string; readonly name: string | null };
  readonly createdAt: Date;
}

/** A sign-in in any state. */
export interface SignInRecord {
  readonly user: {
    readonly id: string;
    readonly email: string;
    readonly orgId: string | null;
    readonly subscriptionExpiresAt: Date | null;
  };
  readonly expiresAt: Date;
  /** The page to return to; null: the first page. */
  readonly returnTo: string | null;
  readonly redeemed: boolean;
  /** Whether it was open when its user ended all sessions. */
  readonly withdrawn: boolean;
}

/** A session as it is stored, without its token. */
export interface StoredSession {
  /** SHA-256 of the token, 64 lower-case hex digits. */
  readonly hash: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** The browser, and a coarse network. Null: it began before this was recorded. */
  readonly client: string | null;
  /** To within `SESSION_SEEN_INTERVAL_MS`. */
  readonly lastSeenAt: Date;
  /** When its user last authenticated: at its beginning, or since. */
  readonly confirmedAt: Date;
}

/** After a recorded use of a session, further uses are not recorded for so long. */
export const SESSION_SEEN_INTERVAL_MS = 5 * 60 * 1000;

/** A session that begins at `at`. */
export function newSession(hash: string, client: string, at: Date): StoredSession {
  return { hash, createdAt: at, expiresAt: sessionExpiry(at, at), client, lastSeenAt: at, confirmedAt: at };
}

/** For so long after a user authenticated, keys and secrets may be shown and replaced, and roles given. */
export const FRESH_FOR_MS = 30 * 60 * 1000;

/** Whether the user of a session authenticated recently, which keys, secrets and roles need. */
export function isFresh({ confirmedAt }: Pick<StoredSession, 'confirmedAt'>, now: Date): boolean {
  return now.getTime() - confirmedAt.getTime() < FRESH_FOR_MS;
}

/** A browser in which a user signed in, identified by the hash of a token in a cookie. */
export interface SeenDevice {
  readonly id: string;
  readonly hash: string;
  readonly client: string;
  readonly at: Date;
}

/** The maximum number of known devices of a user: those that were seen last. */
export const MAX_DEVICES_PER_USER = 50;

/** The content of a mail about a sign-in on a new device, before it is formatted. */
export interface NewDeviceMail {
  readonly kind: 'new-device';
  readonly mailId: string;
  /** The organisation of the user, or null. */
  readonly orgId: string | null;
  readonly to: { readonly email: string; readonly name: string | null };
  readonly client: string;
  readonly at: Date;
  /** The page that lists sessions. */
  readonly url: string;
}

/** A mail about a sign-in on a new device that was claimed for sending. */
export interface PendingNewDeviceMail
  extends Pick<NewDeviceMail, 'kind' | 'orgId' | 'to' | 'client' | 'at'>,
    PendingEmailFacts {}

/** A user who is signed in to the dashboard, and the session. */
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

/** The content of a mail with a sign-in link, before it is formatted. */
export interface SignInMail {
  readonly kind: 'sign-in';
  readonly mailId: string;
  /** The organisation of the user, or null. */
  readonly orgId: string | null;
  readonly to: { readonly email: string; readonly name: string | null };
  readonly url: string;
  readonly requestedAt: Date;
}

/** A mail with a sign-in link that was claimed for sending. */
export interface PendingSignInMail extends Pick<SignInMail, 'kind' | 'orgId' | 'to'>, PendingEmailFacts {
  readonly requestedAt: Date;
}

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
  readonly id: string;
  /** The organisation of the user; null: of none. */
  readonly orgId: string | null;
  readonly user: { readonly email: string; readonly name: string | null };
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A sign-in as it is kept, whatever became of it. */
export interface SignInRecord {
  readonly id: string;
  readonly user: {
    readonly id: string;
    readonly email: string;
    readonly orgId: string | null;
    readonly subscriptionExpiresAt: Date | null;
  };
  readonly expiresAt: Date;
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
}

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

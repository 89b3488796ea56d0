/** A passkey (WebAuthn credential) of a user. */
export interface Passkey {
  /** The credential's id, base64url. Unique in the whole installation. */
  readonly id: string;
  readonly userId: string;
  /** For its user. */
  readonly name: string;
  /** COSE, base64url. */
  readonly publicKey: string;
  /** How often the authenticator says that it signed; 0 where it does not count. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** A user has at most so many. */
export const MAX_PASSKEYS_PER_USER = 20;

/** How long a browser may take to answer. */
export const CHALLENGE_LIFETIME_MS = 5 * 60 * 1000;

/** What a browser is to sign. It works once. */
export interface PasskeyChallenge {
  /** Random, base64url. */
  readonly challenge: string;
  /** Whose passkey is added by it; null: it is for a sign-in, whose user is not known yet. */
  readonly userId: string | null;
  readonly expiresAt: Date;
}

/**
 * Whether a signature is the next one of an authenticator: a counter that does not grow is that of a copy. Authenticators
 * that share a passkey among devices do not count, and say 0.
 */
export function isNextUse(counter: number, stored: number): boolean {
  return counter > stored || (counter === 0 && stored === 0);
}

/** A passkey (WebAuthn credential) of a user. */
export interface Passkey {
  /** The credential's id, base64url. Unique in the whole installation. */
  readonly id: string;
  readonly userId: string;
  /** The name that its user gave it. */
  readonly name: string;
  /** COSE, base64url. */
  readonly publicKey: string;
  /** The authenticator's signature counter; 0 if it does not count. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** The maximum number of passkeys of a user. */
export const MAX_PASSKEYS_PER_USER = 20;

/** How long a browser may take to sign a challenge. */
export const CHALLENGE_LIFETIME_MS = 5 * 60 * 1000;

/** A challenge that a browser signs. It works once. */
export interface PasskeyChallenge {
  /** Random, base64url. */
  readonly challenge: string;
  /** The user who adds a passkey; null for a sign-in, whose user is not known yet. */
  readonly userId: string | null;
  readonly expiresAt: Date;
}

/**
 * Whether the counter of a signature is valid: it must grow, because one that does not comes from a copy of the passkey.
 * Authenticators that share a passkey among devices send 0.
 */
export function isNextUse(counter: number, stored: number): boolean {
  return counter > stored || (counter === 0 && stored === 0);
}

import type { StoredApiKey } from '../model/user.ts';

/** Creates and recognises API keys. A key is looked up by its hash, never by its text. */
export interface ApiKeys {
  /** A new random key, and the form in which it is stored. */
  mint(): { readonly key: string; readonly stored: StoredApiKey };
  /** SHA-256 of a key, 64 hex digits; null for a text that cannot be one of our keys, so that junk costs no query. */
  hash(key: string): string | null;
  /**
   * By which people recognise a key without seeing all of it: its prefix and its last characters. Null as for
   * {@link hash}.
   */
  hint(key: string): string | null;
  /**
   * The key that {@link mint} returned with this stored form. Throws if it was encrypted with a secret that is no longer
   * known.
   */
  reveal(stored: StoredApiKey): string;
}

/** Turns a sign-in's id into the link that is mailed, and back. Nothing secret is stored for it. */
export interface SignInTokens {
  /** Null for anything that we did not seal ourselves, in exactly the one spelling we gave it. */
  open(token: string): string | null;
  /** The absolute address that signs in. */
  url(signInId: string): string;
}

/** The secrets that browsers hold for their session. */
export interface SessionTokens {
  mint(): { readonly token: string; readonly hash: string };
  /** SHA-256 of a token, 64 hex digits; null for what cannot be one of ours. */
  hash(token: string): string | null;
}

/** Makes signing secrets, for platforms whose vendor does not provide one. */
export interface SigningSecrets {
  /**
   * An unguessable secret of characters that a URL may contain. It is stored nowhere, but derived: the same `use` of an
   * organisation gives the same secret until HANDOVER_SECRET changes. So once a secret was set, take another `use` for
   * the next one.
   */
  make(orgId: string, use: readonly string[]): string;
}

/** Distinguishes the sources of requests without storing addresses. */
export interface SourceFingerprints {
  /** Keyed, and bound to the organisation: the same network has another fingerprint for another organisation. */
  make(orgId: string, network: string): string;
}

/** Recognises a secret without storing it. */
export interface SecretFingerprints {
  /** Keyed, and bound to the organisation: the same secret has another fingerprint for another organisation. */
  make(orgId: string, secret: string): string;
  matches(orgId: string, secret: string, fingerprint: string): boolean;
}

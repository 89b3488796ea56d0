import type { StoredApiKey } from '../model/user.ts';

/** Makes API keys and knows them again. A key is found by its hash, never by itself. */
export interface ApiKeys {
  /** A new random key, and how to keep it. */
  mint(): { readonly key: string; readonly stored: StoredApiKey };
  /** SHA-256 of a key, 64 hex digits; null for what cannot be a key of ours, so that junk costs no query. */
  hash(key: string): string | null;
  /** How people recognise a key, without giving it away: its prefix and its last characters. Null as for {@link hash}. */
  hint(key: string): string | null;
  /** The key of what {@link mint} stored. Throws when it was kept under a secret that is no longer known. */
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

/** Makes signing secrets, for platforms whose vendor has none to give. */
export interface SigningSecrets {
  /**
   * One that nobody can guess, of characters that may stand in a URL. It is kept nowhere: for the same `use` of an
   * organisation it is the same again, until HANDOVER_SECRET is changed, so a secret that was set is a use that is over.
   */
  make(orgId: string, use: readonly string[]): string;
}

/** Tells the sources of requests apart without keeping addresses. */
export interface SourceFingerprints {
  /** Of no use without our key. Bound to the organisation: the same network elsewhere has another one. */
  make(orgId: string, network: string): string;
}

/** Recognises a secret again without keeping it. */
export interface SecretFingerprints {
  /** Of no use without our key. Bound to the organisation: the same secret elsewhere has another one. */
  make(orgId: string, secret: string): string;
  matches(orgId: string, secret: string, fingerprint: string): boolean;
}

import { createHash, hkdfSync } from 'node:crypto';

/** What a key is for: two purposes never share one, so what is sealed for one opens nothing of the other. */
export type KeyPurpose =
  | 'download-token'
  | 'sign-in-token'
  | 'invitation-token'
  | 'connection-secret'
  | 'api-key'
  | 'rejected-secret'
  | 'refused-source'
  | 'offered-secret';

/** The keys that derive from HANDOVER_SECRET. */
export interface Keyring {
  /** The key that new things are sealed with, and its number. */
  current(purpose: KeyPurpose): NumberedKey;
  /** The key of that number, or null when its secret is no longer (or not yet) on the list. */
  byNumber(purpose: KeyPurpose, number: Uint8Array): NumberedKey | null;
}

export interface NumberedKey {
  /** {@link KEY_NUMBER_BYTES} bytes that tell one secret from another, wherever it stands on the list. */
  readonly number: Uint8Array;
  /** 32 bytes. */
  readonly key: Uint8Array;
}

export const KEY_NUMBER_BYTES = 3;

/**
 * Derives all keys from the secrets, the first of which is current. Keys are numbered by what the secret is, not by
 * its place, so that moving a new secret to the front changes no number.
 */
export function createKeyring(secrets: readonly string[]): Keyring {
  const [first, ...others] = secrets.map((secret) => ({ secret, number: numberOf(secret) }));
  if (!first) throw new Error('A keyring needs at least one secret.');
  return {
    current: (purpose) => ({ number: first.number, key: derive(first.secret, purpose) }),
    byNumber: (purpose, number) => {
      const found = [first, ...others].find((known) => known.number.equals(number));
      return found ? { number: found.number, key: derive(found.secret, purpose) } : null;
    },
  };
}

/** The number of a secret's keys as text: the first four characters of whatever is sealed under them. */
export function describeKeyNumber(secret: string): string {
  return numberOf(secret).toString('base64url');
}

function numberOf(secret: string): Buffer {
  return createHash('sha256').update(`handover key number\n${secret}`).digest().subarray(0, KEY_NUMBER_BYTES);
}

const derived = new Map<string, Uint8Array>();

/** HKDF costs more than the MAC it prepares, and the secrets of a process are few: each key is derived once. */
function derive(secret: string, purpose: KeyPurpose): Uint8Array {
  const name = `${purpose}\n${secret}`;
  const known = derived.get(name);
  if (known) return known;
  const key = new Uint8Array(hkdfSync('sha256', secret, 'handover', purpose, 32));
  derived.set(name, key);
  return key;
}

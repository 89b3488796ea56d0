import { createHash, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/** The purpose of a key. Two purposes never share a key, so a value sealed for one cannot be opened for another. */
export type KeyPurpose =
  | 'download-token'
  | 'library-token'
  | 'sign-in-token'
  | 'invitation-token'
  | 'connection-secret'
  | 'api-key'
  | 'rejected-secret'
  | 'refused-source'
  | 'offered-secret'
  | 'test-order';

/** The keys that are derived from HANDOVER_SECRET. */
export interface Keyring {
  /** The key that seals new values, and its number. */
  current(purpose: KeyPurpose): NumberedKey;
  /** The key with that number, or null if its secret is not in the list (any more, or yet). */
  byNumber(purpose: KeyPurpose, number: Uint8Array): NumberedKey | null;
}

export interface NumberedKey {
  /** {@link KEY_NUMBER_BYTES} bytes that identify a secret, at any position in the list. */
  readonly number: Uint8Array;
  /** 32 bytes. As an object: Node takes 10 µs for each MAC to find out that bytes are not one. */
  readonly key: KeyObject;
}

export const KEY_NUMBER_BYTES = 3;

/**
 * Derives all keys from the secrets, the first of which is current. A key's number depends on its secret, not on the
 * position, so that a new secret in front changes no number.
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

/** The number of a secret's keys as text: the first four characters of every value sealed with them. */
export function describeKeyNumber(secret: string): string {
  return numberOf(secret).toString('base64url');
}

function numberOf(secret: string): Buffer {
  return createHash('sha256').update(`handover key number\n${secret}`).digest().subarray(0, KEY_NUMBER_BYTES);
}

const derived = new Map<string, Map<KeyPurpose, KeyObject>>();

/** HKDF costs more than the MAC, and a process has few secrets: each key is derived once. */
function derive(secret: string, purpose: KeyPurpose): KeyObject {
  const keys = derived.get(secret) ?? new Map<KeyPurpose, KeyObject>();
  derived.set(secret, keys);
  const known = keys.get(purpose);
  if (known) return known;
  const key = createSecretKey(new Uint8Array(hkdfSync('sha256', secret, 'handover', purpose, 32)));
  keys.set(purpose, key);
  return key;
}

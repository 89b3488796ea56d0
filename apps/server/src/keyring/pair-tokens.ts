import type { KeyPurpose, Keyring } from './keyring.ts';
import { KEY_NUMBER_BYTES } from './keyring.ts';
import { bytesToUuid, isMac, macOf, UUID_BYTES, uuidToBytes } from './sealed-id.ts';

/** Converts two ids to a token, and back. */
export interface PairTokens {
  seal(first: string, second: string): string;
  /** Null for any token that we did not create, in any spelling but ours. */
  open(token: string): readonly [string, string] | null;
}

/**
 * Tokens of a key number and two ids, with a MAC over them. The total length must be a multiple of three bytes: then
 * base64url has no spare bits, and every token has exactly one spelling.
 */
export function createPairTokens(keyring: Keyring, purpose: KeyPurpose, macBytes: number): PairTokens {
  const tokenBytes = KEY_NUMBER_BYTES + 2 * UUID_BYTES + macBytes;
  if (tokenBytes % 3 !== 0) throw new RangeError('A token must be a multiple of three bytes.');
  const tokenLength = (tokenBytes / 3) * 4;
  return {
    seal: (first, second) => {
      const { number, key } = keyring.current(purpose);
      const content = Buffer.concat([number, uuidToBytes(first), uuidToBytes(second)]);
      return Buffer.concat([content, macOf(content, key, macBytes)]).toString('base64url');
    },
    open: (token) => {
      if (token.length !== tokenLength || !/^[A-Za-z0-9_-]+$/.test(token)) return null;
      const bytes = Buffer.from(token, 'base64url');
      const found = keyring.byNumber(purpose, bytes.subarray(0, KEY_NUMBER_BYTES));
      const content = bytes.subarray(0, tokenBytes - macBytes);
      if (!found || !isMac(bytes.subarray(tokenBytes - macBytes), content, found.key)) return null;
      const ids = content.subarray(KEY_NUMBER_BYTES);
      return [bytesToUuid(ids.subarray(0, UUID_BYTES)), bytesToUuid(ids.subarray(UUID_BYTES))];
    },
  };
}

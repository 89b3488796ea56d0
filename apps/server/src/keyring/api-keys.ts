import { hash, randomInt } from 'node:crypto';
import { API_KEY_CONTEXT, type SecretBox } from '@handover/adapters-postgres';
import type { ApiKeys } from '@handover/domain';

const PREFIX = 'hnd_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 32 of 62 characters: 190 bits. */
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
/** Enough to distinguish the keys of one organisation. */
const HINT_LENGTH = 4;
const KEY_SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/**
 * API keys: a prefix that people and leak scanners recognise, random characters, and a checksum that distinguishes a
 * mistyped key from an unknown one without a query. They are looked up by SHA-256; an encrypted copy lets the
 * dashboard show a key to its user.
 */
export function createApiKeys(box: SecretBox): ApiKeys {
  return {
    mint: () => {
      const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(
        '',
      );
      const key = `${PREFIX}${random}${checksum(random)}`;
      return { key, stored: { hash: sha256(key), sealed: box.seal(key, API_KEY_CONTEXT) } };
    },
    hash: (key) => (isGenuine(key) ? sha256(key) : null),
    // The last characters of the checksum reveal fewer bits of the random part than they have.
    hint: (key) => (isGenuine(key) ? `${PREFIX}…${key.slice(-HINT_LENGTH)}` : null),
    reveal: ({ sealed }) => box.unseal(sealed, API_KEY_CONTEXT),
  };
}

function isGenuine(key: string): boolean {
  return (
    KEY_SHAPE.test(key) && key.endsWith(checksum(key.slice(PREFIX.length, PREFIX.length + RANDOM_LENGTH)))
  );
}

function checksum(random: string): string {
  const digest = hash('sha256', `${PREFIX}${random}`, 'buffer');
  return Array.from(digest.subarray(0, CHECKSUM_LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

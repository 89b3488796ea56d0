import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  randomInt,
} from 'node:crypto';
import type { IsTestOrder } from '@handover/adapters-http';
import { API_KEY_CONTEXT, type SecretBox } from '@handover/adapters-postgres';
import {
  type ApiKeys,
  type SecretFingerprints,
  SHARED_PLATFORM,
  type SigningSecrets,
  type SourceFingerprints,
} from '@handover/domain';
import { isSameSecret } from '@handover/platform-contract';

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

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts short secrets with AES-256-GCM. The context (the owner of the secret) is authenticated, so that a row
 * copied to another owner cannot be opened.
 */
export function createSecretBox(keyring: Keyring, purpose: KeyPurpose): SecretBox {
  const unseal = (text: string, context: string): string => {
    const bytes = Buffer.from(text, 'base64url');
    const found = keyring.byNumber(purpose, bytes.subarray(0, KEY_NUMBER_BYTES));
    if (!found) throw new UnknownKeyError(1);
    const nonceEnd = KEY_NUMBER_BYTES + NONCE_BYTES;
    const decipher = createDecipheriv('aes-256-gcm', found.key, bytes.subarray(KEY_NUMBER_BYTES, nonceEnd))
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(nonceEnd, nonceEnd + TAG_BYTES));
    return Buffer.concat([
      decipher.update(bytes.subarray(nonceEnd + TAG_BYTES)),
      decipher.final(),
    ]).toString();
  };
  return {
    seal: (plain, context) => {
      const { number, key } = keyring.current(purpose);
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([number, nonce, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    unseal,
    holds: (text, context, plain) => isSameSecret(unseal(text, context), plain),
  };
}

/** A value was sealed with a secret that HANDOVER_SECRET no longer lists. */
export class UnknownKeyError extends Error {
  readonly code = 'unknown-key';

  constructor(count: number) {
    const what = count === 1 ? 'One webhook secret was' : `${count} webhook secrets were`;
    super(
      `${what} encrypted with a secret that HANDOVER_SECRET does not list any more (DATA_DIR/secret, where it is not set). ` +
        'Add the former secret at its end, separated by a comma, and start again. If nobody has it, set each webhook secret ' +
        'again with handover integration set, and that of Stripe by PAYMENTS_A_SIGNING_SECRET.',
    );
  }
}

/**
 * Fingerprints of secrets in the URLs of refused requests: key number and a MAC, so that even a short secret cannot
 * be guessed from its fingerprint without our key.
 */
export function createSecretFingerprints(keyring: Keyring): SecretFingerprints {
  const { make, matches } = createMacs(keyring, 'rejected-secret');
  const content = (orgId: string, secret: string) => `${orgId.toLowerCase()}\n${secret}`;
  return {
    make: (orgId, secret) => make(content(orgId, secret)),
    matches: (orgId, secret, text) => matches(content(orgId, secret), text),
  };
}

/** MACs of contents, each behind the number of its key. */
function createMacs(keyring: Keyring, purpose: KeyPurpose) {
  const macOf = ({ number, key }: NumberedKey, content: string | Uint8Array) =>
    Buffer.concat([number, createHmac('sha256', key).update(content).digest()]);
  return {
    make: (content: string | Uint8Array) => macOf(keyring.current(purpose), content).toString('base64url'),
    matches: (content: string | Uint8Array, text: string) => {
      const given = Buffer.from(text, 'base64url');
      const key = keyring.byNumber(purpose, given.subarray(0, KEY_NUMBER_BYTES));
      return key !== null && isSameSecret(given, macOf(key, content));
    },
  };
}

const BYTES = 16;

/** MACs of network addresses, which are personal data: without our key an address cannot be found by trying. */
export function createSourceFingerprints(keyring: Keyring): SourceFingerprints {
  return {
    make: (orgId, network) =>
      createHmac('sha256', keyring.current('refused-source').key)
        .update(`${orgId.toLowerCase()}\n${network}`)
        .digest()
        .subarray(0, BYTES)
        .toString('base64url'),
  };
}

/** Marks orders that we send ourselves to try a connection. */
export interface TestOrderMarks {
  /** The header to send with the body. */
  make(body: Uint8Array): Readonly<Record<string, string>>;
  readonly isTestOrder: IsTestOrder;
}

const HEADER = 'handover-test-order';

/** A MAC over the body, so that nobody else can make an order count nowhere. */
export function createTestOrderMarks(keyring: Keyring): TestOrderMarks {
  const { make, matches } = createMacs(keyring, 'test-order');
  return {
    make: (body) => ({ [HEADER]: make(body) }),
    isTestOrder: ({ headers: { [HEADER]: mark }, body }) => typeof mark === 'string' && matches(body, mark),
  };
}

const SECRET_BYTES = 24;

/** 192 bits of a MAC under a key for this purpose, as 32 characters that need no escaping in a URL. */
export function createSigningSecrets(keyring: Keyring): SigningSecrets {
  return {
    make: (orgId, use) =>
      createHmac('sha256', keyring.current('offered-secret').key)
        .update(JSON.stringify([orgId.toLowerCase(), ...use]))
        .digest()
        .subarray(0, SECRET_BYTES)
        .toString('base64url'),
  };
}

/**
 * The signing secret of payments-a in a local trial without a configured one. It is derived from HANDOVER_SECRET, so
 * that `simulate` and the server derive the same one, and no file contains it.
 */
export function deriveTrialSecret(secrets: readonly string[]): string {
  return createSigningSecrets(createKeyring(secrets)).make(SHARED_PLATFORM, ['local-trial']);
}

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

import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type HeaderNames, headerValues, type InboundHeaders } from './headers.ts';
import type { InboundDelivery, SigningConnection } from './platform-webhook.ts';

/** How a header writes the bytes of a signature. */
export type HmacEncoding = 'base64' | 'hex';

/** How a platform signs the body with HMAC-SHA-256. */
export interface HmacScheme {
  readonly headers: HeaderNames;
  readonly encodings: readonly HmacEncoding[];
  /**
   * The keys that can be derived from one stored secret; the secret itself unless the platform transforms
   * it.
   */
  readonly keys?: (secret: string) => readonly string[];
}

/** Verifies one HMAC-SHA256 over the raw body, carried in one header. */
export function verifyHmac(
  inbound: Pick<InboundDelivery, 'body' | 'headers'>,
  connections: readonly SigningConnection[],
  { headers, encodings, keys = (secret) => [secret] }: HmacScheme,
): Verification {
  const signature = readSignature(inbound.headers, headers);
  if (typeof signature !== 'string') return signature;
  const encoding = encodings.find((candidate) => SHAPES[candidate].test(signature));
  if (!encoding) return refuse('The signature is not in the form that this platform uses.');
  return findSigner(connections, (secret) =>
    // All keys are compared, so that the time does not reveal which one matched.
    keys(secret)
      .map((key) => isSameMac(signature, signHmac(key, inbound.body, encoding)))
      .includes(true),
  );
}

/** The one signature of the request, or why there is none. */
export function readSignature(headers: InboundHeaders, names: HeaderNames): string | Refused {
  const values = headerValues(headers, names);
  const [value = ''] = values;
  if (values.length > 1) return refuse('The signature header came more than once.');
  if (/[^\t\x20-\x7e]/.test(value)) return refuse('The signature holds characters outside ASCII.');
  const signature = value.trim();
  return signature === '' ? refuse('The signature is missing.') : signature;
}

/** Signs a body, or a prefix and a body; these need not be copied into one buffer. */
export function signHmac(
  key: string,
  body: Uint8Array | readonly Uint8Array[],
  encoding: HmacEncoding,
): string {
  const hmac = createHmac('sha256', key);
  for (const part of body instanceof Uint8Array ? [body] : body) hmac.update(part);
  return hmac.digest(encoding);
}

/** 32 bytes in their canonical encoding, so that no two texts are accepted for one signature. */
const SHAPES: Readonly<Record<HmacEncoding, RegExp>> = {
  base64: /^[A-Za-z0-9+/]{43}=$/,
  hex: /^[0-9a-f]{64}$/,
};

/** Whether a secret of a connection signed the request. */
export type Verification = Verified | Refused;

/** Has a brand that only this file can set: the type proves that a secret matched. */
export interface Verified {
  readonly kind: 'verified';
  readonly connectionId: string;
  readonly [matchedBySecret]: true;
}

/** Why a request is not believed. */
export interface Refused {
  readonly kind: 'refused';
  /** A sentence for the operator. */
  readonly reason: string;
}

declare const matchedBySecret: unique symbol;

/**
 * Finds the connection with a secret that `matches`. Blank secrets are skipped: anyone can sign with an
 * empty key. All other secrets are tried even after a match, so that the time does not reveal which one
 * matched. Decoys fill the list up to the next power of two: one secret takes as long as the two of a
 * rotation, three take as long as four.
 */
export function findSigner(
  connections: readonly SigningConnection[],
  matches: (secret: string) => boolean,
): Verification {
  const candidates = candidatesOf.get(connections) ?? listSigners(connections);
  candidatesOf.set(connections, candidates);
  if (candidates.length === 0) return refuse('No secret is set up for this platform.');
  let found: Signer | null = null;
  for (const candidate of candidates) {
    const isMatch = matches(candidate.secret);
    if (isMatch && candidate !== DECOY) found ??= candidate;
  }
  if (!found) return refuse('The signature fits none of the secrets that are set up.');
  return { kind: 'verified', connectionId: found.id } as Verified;
}

interface Signer {
  readonly id: string;
  readonly secret: string;
}

/** Many requests are verified with the same connections, which are remembered. */
const candidatesOf = new WeakMap<readonly SigningConnection[], readonly Signer[]>();

function listSigners(connections: readonly SigningConnection[]): readonly Signer[] {
  const signers = connections.flatMap(({ id, secrets }) =>
    secrets.filter((secret) => secret.trim() !== '').map((secret) => ({ id, secret })),
  );
  if (signers.length === 0) return [];
  const decoys = Array.from({ length: roundUp(signers.length) - signers.length }, () => DECOY);
  return [...signers, ...decoys];
}

/** A random secret. */
const DECOY = { id: 'decoy', secret: randomBytes(32).toString('hex') };

function roundUp(count: number): number {
  return 2 ** Math.max(1, Math.ceil(Math.log2(count)));
}

/** Refuses a request for that reason. */
export function refuse(reason: string): Refused {
  return { kind: 'refused', reason };
}

/** Random for each process, so that nobody can choose inputs by their digests. */
const KEY = randomBytes(32);

/**
 * Whether two secrets, signatures or MACs are equal. Every comparison of secrets uses this function or `isSameMac`. It
 * compares digests of equal length in constant time, so that the time reveals neither where two values
 * differ nor whether their lengths do.
 */
export function isSameSecret(a: string | Uint8Array, b: string | Uint8Array): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

/**
 * A secret as the query of a URL gives it when the merchant pasted it there unencoded: each plus is a space. Secrets in URLs are
 * compared in this form, so that an encoded plus is accepted as well.
 */
export function readAsQuery(secret: string): string {
  return secret.replaceAll('+', ' ');
}

/**
 * The same as `isSameSecret` for two MACs, whose length is public because their form was checked. Without digests it takes a quarter of
 * the time.
 */
export function isSameMac(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function digest(value: string | Uint8Array): Buffer {
  return hash(
    'sha256',
    Buffer.concat([KEY, typeof value === 'string' ? Buffer.from(value) : value]),
    'buffer',
  );
}

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Of this process alone, so that nobody can choose inputs by their digests. */
const KEY = randomBytes(32);

/**
 * Whether two secrets, signatures or MACs are equal. Every comparison of one goes through here: what is compared in
 * constant time are digests of one length, so the time taken tells neither where two values differ nor whether they are
 * of one length.
 */
export function isSameSecret(a: string | Uint8Array, b: string | Uint8Array): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(value: string | Uint8Array): Buffer {
  return createHash('sha256').update(KEY).update(value).digest();
}

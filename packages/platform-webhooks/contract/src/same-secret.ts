import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Random for each process, so that nobody can choose inputs by their digests. */
const KEY = randomBytes(32);

/**
 * Whether two secrets, signatures or MACs are equal. Every comparison of secrets uses this function or the next. It
 * compares digests of equal length in constant time, so that the time reveals neither where two values
 * differ nor whether their lengths do.
 */
export function isSameSecret(a: string | Uint8Array, b: string | Uint8Array): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

/**
 * The same for two MACs, whose length is public because their form was checked. Without digests it takes a quarter of
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

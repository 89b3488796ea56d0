import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readSecret } from '../src/access/read-secret.ts';
import { isShortSecret, minSecretLength, PLATFORMS } from '../src/index.ts';

describe('a signing secret', () => {
  test('has at least 16 characters where it is part of the URL, else at least 8', () => {
    for (const platform of [...PLATFORMS, 'our-shop']) {
      expect([platform, minSecretLength(platform)]).toEqual([platform, platform === 'cart-a' ? 16 : 8]);
    }
  });

  test('is taken exactly when it is long enough, in characters', () => {
    const text = fc.string({ unit: 'grapheme-composite', maxLength: 20 }).map((given) => given.trim());
    fc.assert(
      fc.property(fc.constantFrom(...PLATFORMS), text, (platform, secret) => {
        const isLongEnough = [...secret].length >= minSecretLength(platform);
        expect(readSecret(platform, ` ${secret}\n`).kind).toBe(isLongEnough ? 'valid' : 'invalid');
        expect(isShortSecret(platform, secret)).toBe(!isLongEnough);
      }),
    );
  });

  test.each([
    ['cart-a', 'fifteen letters', 'must have at least 16 characters: use a generated one'],
    ['storefront-b', 'seven!!', 'must have at least 8 characters: copy all of it, or choose a longer one'],
    ['storefront-a', ' ', 'must not be empty'],
    ['storefront-a', 'x'.repeat(1001), 'must be at most 1,000 characters'],
  ] as const)('of %s that is %j is refused with the remedy', (platform, secret, problem) => {
    expect(readSecret(platform, secret)).toEqual({ kind: 'invalid', field: 'secret', problem });
  });
});

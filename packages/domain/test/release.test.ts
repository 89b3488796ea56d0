import { formatRelease, PLATFORMS, parseRelease, type Release } from '@handover/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const releases = fc.oneof(
  fc.record({ kind: fc.constant('product' as const), productId: fc.uuid() }),
  fc.record({
    kind: fc.constant('sku' as const),
    sku: fc.string({ minLength: 1, unit: 'grapheme' }),
    platform: fc.constantFrom(null, 'our-shop', ...PLATFORMS),
  }),
  fc.constant<Release>({ kind: 'subscription' }),
);

test('a release has one text, which is read as that release', () => {
  fc.assert(
    fc.property(releases, (release) => {
      expect(parseRelease(formatRelease(release))).toEqual(release);
    }),
  );
  fc.assert(
    fc.property(releases, releases, (one, other) => {
      const isSame = JSON.stringify(one) === JSON.stringify(other);
      expect(formatRelease(one) === formatRelease(other)).toBe(isSame);
    }),
  );
});

test('a text that names no release is an error', () => {
  expect(() => parseRelease('everything')).toThrow(new TypeError('This names no release: everything'));
});

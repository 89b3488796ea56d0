import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSameSecret } from '../src/index.ts';
import { isSameMac } from '../src/verification.ts';

describe('a comparison of secrets', () => {
  it.each([
    ['abc', 'abc', true],
    ['abc', 'abd', false],
    ['abc', 'abcd', false],
    ['', '', true],
    ['', 'a', false],
    ['é', 'e', false],
    ['é', 'ée', false],
  ])('of %j and %j answers %s', (a, b, same) => {
    expect(isSameSecret(a, b)).toBe(same);
  });

  it('equals a comparison of the bytes, for any lengths', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 80 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(isSameSecret(a, b)).toBe(a === b);
        expect(isSameSecret(Buffer.from(a), b)).toBe(a === b);
        expect(isSameSecret(a, a)).toBe(true);
        expect(isSameMac(a, b)).toBe(a === b);
        expect(isSameMac(a, a)).toBe(true);
      }),
    );
  });
});

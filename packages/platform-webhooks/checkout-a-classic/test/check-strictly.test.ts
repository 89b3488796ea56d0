import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleOrder, signForTest } from '../src/testing.ts';
import { checkStrictly, fingerprintPair, readSecurityPair } from '../src/verify.ts';
import { entryOf, KEY } from './receive-body.ts';

const ORDER = entryOf(sampleOrder());
const AT = 1760000000475;
const at = (ms: number) => new Date(AT + ms);
const DAY = 24 * 60 * 60 * 1000;
const FIVE_MINUTES = 5 * 60 * 1000;
const pairOf = (data: string) => ({ data, hash: '0'.repeat(32) });
const DATA = `${AT}EXA261009-1234-56789buyer@example.com1760000000458`;

describe('a strict connection of checkout-a-classic', () => {
  it('accepts a pair that was recently made for this order', () => {
    expect(checkStrictly(pairOf(DATA), ORDER, at(1000))).toBe(null);
    expect(checkStrictly(pairOf(DATA), ORDER, at(DAY))).toBe(null);
  });

  it('reads the reference of other bodies as well', () => {
    const entry = entryOf(sampleOrder({ orderId: 'EXA261009-1234-56789S' }));
    expect(checkStrictly(pairOf(`${AT}EXA261009-1234-56789S`), entry, at(0))).toBe(null);
  });

  it.each([
    ['older than a day', DATA, at(DAY + 1), 'The security data is older than a day.'],
    ['random text', 'abc', at(0), 'The security data does not begin with a time.'],
    ['of another order', `${AT}EXA-9-9`, at(0), 'The security data does not name the order of the body.'],
    ['a time alone', `${AT}`, at(0), 'The security data does not name the order of the body.'],
  ])('refuses data that is %s', (_case, data, now, reason) => {
    expect(checkStrictly(pairOf(data), ORDER, now)).toEqual({ kind: 'refused', reason });
  });

  it('accepts exactly the dates within the day before and the five minutes after our clock', () => {
    const anyAge = fc.oneof(
      fc.integer({ min: -2 * DAY, max: 2 * DAY }),
      fc.integer({ min: -FIVE_MINUTES - 2, max: -FIVE_MINUTES + 2 }),
      fc.integer({ min: DAY - 2, max: DAY + 2 }),
      // Any time that 13 digits can name.
      fc.integer({ min: AT - 9_999_999_999_999, max: AT }),
    );
    fc.assert(
      fc.property(anyAge, (age) => {
        const isTaken = checkStrictly(pairOf(DATA), ORDER, at(age)) === null;
        expect(isTaken).toBe(age >= -FIVE_MINUTES && age <= DAY);
      }),
    );
  });

  it('refuses a date in the future, however the rest of the data looks', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: AT + FIVE_MINUTES + 1, max: 9_999_999_999_999 }),
        fc.string(),
        (stamp, rest) => {
          const verdict = checkStrictly(pairOf(`${stamp}${rest}`), ORDER, at(0));
          expect(verdict?.reason).toBe(
            'The security data is dated more than five minutes ahead of our clock.',
          );
        },
      ),
    );
  });

  it('refuses a body that could not be read', () => {
    expect(checkStrictly(pairOf(DATA), undefined, at(0))?.kind).toBe('refused');
  });
});

describe('the fingerprint of a pair', () => {
  const read = (data: string) => {
    const pair = readSecurityPair({ body: new Uint8Array(), headers: signForTest(KEY, data) });
    if ('kind' in pair) throw new Error(pair.reason);
    return pair;
  };

  it('is the same for the same pair only, and reveals nothing of it', () => {
    const fingerprint = fingerprintPair(read('a'));
    expect(fingerprintPair(read('a'))).toBe(fingerprint);
    expect(fingerprintPair(read('b'))).not.toBe(fingerprint);
    expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(fingerprint).not.toContain(read('a').hash);
  });
});

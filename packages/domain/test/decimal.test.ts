import {
  addDecimals,
  formatDecimal,
  multiplyDecimal,
  parseDecimal,
  subtractDecimals,
} from '@handover/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const decimal = fc.record({
  units: fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
  scale: fc.nat({ max: 6 }),
});

describe('decimals', () => {
  it.each([
    ['49.00', '49.00'],
    ['-3', '-3'],
    ['+7.5', '7.5'],
    ['.5', '0.5'],
    ['5.', '5'],
    [' 0.10 ', '0.10'],
    ['1e3', '1000'],
    ['2.5E-3', '0.0025'],
    ['-0.05', '-0.05'],
  ])('read %j as %s', (text, expected) => {
    const read = parseDecimal(text);
    expect(read && formatDecimal(read)).toBe(expected);
  });

  it.each([
    '',
    '.',
    '-',
    '$29.95',
    '29,95',
    '1.2.3',
    'NaN',
    'Infinity',
    '0x10',
    '1e999',
    '٣',
    '9'.repeat(41),
  ])('do not read %j', (text) => expect(parseDecimal(text)).toBeNull());

  it('come back from their own text with every digit', () => {
    fc.assert(
      fc.property(decimal, (value) => {
        expect(parseDecimal(formatDecimal(value))).toEqual(value);
      }),
    );
  });

  it('add and subtract exactly, as integers do', () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        const back = subtractDecimals(addDecimals(a, b), b);
        expect(back.units * 10n ** BigInt(12 - back.scale)).toBe(a.units * 10n ** BigInt(12 - a.scale));
      }),
    );
  });

  it('keep cents where floats lose them', () => {
    const cent = { units: 10n, scale: 2 };
    expect(formatDecimal(addDecimals(cent, { units: 20n, scale: 2 }))).toBe('0.30');
    expect(formatDecimal(multiplyDecimal({ units: 1999n, scale: 2 }, 3))).toBe('59.97');
  });
});

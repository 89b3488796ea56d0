import { formatDecimal } from '@handover/platform-contract';
import { describe, expect, it } from 'vitest';
import { readMinorUnits } from '../src/translate.ts';

function majorUnits(text: string | undefined, currency: string | null): string | null {
  const amount = readMinorUnits(text, currency);
  return amount && formatDecimal(amount);
}

const NO_DECIMALS = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ');

describe('an amount of payments-a', () => {
  it.each(NO_DECIMALS)('in %s is converted', (currency) => {
    expect(majorUnits('980', currency)).toBe('980');
    expect(majorUnits('980', currency.toLowerCase())).toBe('980');
  });

  it.each(['BHD', 'JOD', 'KWD', 'OMR', 'TND'])('in %s is in thousandths', (currency) => {
    expect(majorUnits('4900', currency)).toBe('4.900');
  });

  it.each(['EUR', 'usd', 'HUF', 'TWD', 'IQD', 'ZZZ', '', null])('in %s is in hundredths', (currency) => {
    expect(majorUnits('4900', currency)).toBe('49.00');
    expect(majorUnits('5', currency)).toBe('0.05');
  });

  it.each(['ISK', 'UGX'])('in %s is in hundredths, of which only whole ones are seen', (currency) => {
    expect(majorUnits('500', currency)).toBe('5');
    expect(majorUnits('0', currency)).toBe('0');
    expect(majorUnits('550', currency)).toBe('5.50');
  });

  it.each([
    ['0', '0.00'],
    ['-4900', '-49.00'],
    ['4900.5', '49.005'],
    ['4.9e3', '49.00'],
    ['123456789012345678901234', '1234567890123456789012.34'],
  ])('of %s stays exact', (text, expected) => {
    expect(majorUnits(text, 'EUR')).toBe(expected);
  });

  it.each([undefined, '', 'free', '49,00', '1e400'])('of %s is none', (text) => {
    expect(majorUnits(text, 'EUR')).toBeNull();
  });
});

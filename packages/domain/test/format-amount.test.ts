import { displayAmount, parseDecimal, writeAmount } from '@handover/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

describe('an amount', () => {
  it.each([
    ['12.5', 'EUR', '12.50', '12.50'],
    ['1250', 'EUR', '1250.00', '1250.00'],
    ['5.505', 'EUR', '5.505', '5.505'],
    ['49.000', 'EUR', '49.000', '49.00'],
    ['3000', 'JPY', '3000', '3000'],
    ['3000.00', 'JPY', '3000.00', '3000'],
    ['5.50', 'ISK', '5.50', '5.5'],
    ['1.5', 'KWD', '1.500', '1.500'],
    ['-1250.5', 'USD', '-1250.50', '-1250.50'],
    ['0', 'EUR', '0.00', '0.00'],
    ['7.5', 'EURO', '7.5', '7.5'],
    ['12.5', null, '12.5', '12.5'],
    ['free', 'EUR', 'free', 'free'],
  ])('of %s in %s is %s as data, and %s to read', (amount, currency, data, shown) => {
    expect(writeAmount(amount, currency)).toBe(data);
    expect(displayAmount(amount, currency)).toBe(shown);
  });

  it('keeps its value in either form, whatever it is', () => {
    const amounts = fc.stringMatching(/^-?\d{1,12}(\.\d{1,6})?$/);
    fc.assert(
      fc.property(amounts, fc.constantFrom('EUR', 'JPY', 'KWD', 'ABC', null), (amount, currency) => {
        for (const write of [writeAmount, displayAmount])
          expect(scaled(write(amount, currency))).toBe(scaled(amount));
      }),
    );
  });
});

function scaled(text: string): bigint | undefined {
  const decimal = parseDecimal(text);
  return decimal ? decimal.units * 10n ** BigInt(10 - decimal.scale) : undefined;
}

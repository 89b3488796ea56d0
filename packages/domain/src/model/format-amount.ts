import { currencyDigits } from './currency.ts';
import { type Decimal, formatDecimal, parseDecimal } from './decimal.ts';

/**
 * An amount as data: with at least the digits of its currency, `12.50` for 12.5 EUR. More digits than it has stay as
 * they were received, and so does what is not a number, or is in a currency that we don't know.
 */
export function writeAmount(amount: string, currency: string | null): string {
  const decimal = parseDecimal(amount);
  return decimal ? formatDecimal(padTo(decimal, digitsOf(currency))) : amount;
}

/** The digits of an amount for people to read: as `writeAmount`, without zeros beyond those that its currency has. */
export function displayAmount(amount: string, currency: string | null): string {
  const decimal = parseDecimal(amount);
  const digits = currency === null ? null : currencyDigits(currency);
  return decimal ? formatDecimal(trimTo(padTo(decimal, digits ?? 0), digits)) : amount;
}

function digitsOf(currency: string | null): number {
  return (currency === null ? null : currencyDigits(currency)) ?? 0;
}

function padTo({ units, scale }: Decimal, digits: number): Decimal {
  const missing = Math.max(digits - scale, 0);
  return { units: units * 10n ** BigInt(missing), scale: scale + missing };
}

/** Null: as many digits as there are. */
function trimTo({ units, scale }: Decimal, digits: number | null): Decimal {
  const isTrimmed = digits === null || scale <= digits || units % 10n !== 0n;
  return isTrimmed ? { units, scale } : trimTo({ units: units / 10n, scale: scale - 1 }, digits);
}

/** A whole number with its digits in threes: 8,412. */
export function groupDigits(whole: string): string {
  const start = whole.startsWith('-') ? 1 : 0;
  let grouped = '';
  for (let end = whole.length; end > start; end -= 3) {
    const three = whole.slice(Math.max(start, end - 3), end);
    grouped = grouped === '' ? three : `${three},${grouped}`;
  }
  return whole.slice(0, start) + grouped;
}

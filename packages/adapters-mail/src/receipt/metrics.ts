import { currencyDigits, displayAmount, parseDecimal } from '@handover/domain';

const UNITS = ['kB', 'MB', 'GB', 'TB', 'PB'];
const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const DATE = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** `6.3 GB`, `104 MB`, `1 byte`. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  let value = bytes;
  let unit = -1;
  // At this value it would round to 1000 of its unit.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const rounded = value < 99.95 ? Math.round(value * 10) / 10 : Math.round(value);
  return `${rounded} ${UNITS[unit]}`;
}

/** `14 October 2026`, in UTC. */
export function formatDate(date: Date): string {
  return DATE.format(date);
}

/** Small numbers as words, for sentences: `three`, `14`. */
export function numberWord(number: number): string {
  return WORDS[number] ?? String(number);
}

/**
 * `49.00 EUR`, or null where the amount is unknown: a platform that names no amount leaves 0, and some name
 * no currency, or one that does not exist.
 */
export function formatAmount({
  amount,
  currency,
}: {
  readonly amount: string;
  readonly currency: string | null;
}): string | null {
  const decimal = parseDecimal(amount);
  const isKnown = currency !== null && currencyDigits(currency) !== null;
  return decimal && decimal.units > 0n && isKnown ? `${displayAmount(amount, currency)} ${currency}` : null;
}

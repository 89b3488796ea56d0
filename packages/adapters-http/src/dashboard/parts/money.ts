import { formatsOf, MAX_COUNTED } from '@handover/domain';

/** An amount for people: 49.00 EUR, 1,250.00 EUR, 3,000 JPY. Pages format amounts only with this function. */
export function formatMoney(amount: string, currency: string | null): string {
  const figure = formatsOf('en').amount(amount, currency);
  return currency === null ? `${figure} (no currency)` : `${figure} ${currency}`;
}

/** 8412 as 8,412. */
export function formatCount(count: number): string {
  return COUNT.format(count);
}

const COUNT = new Intl.NumberFormat('en-GB');

/** "10,000+" for what is counted no further. */
export function formatCapped(count: number): string {
  return count > MAX_COUNTED ? `${formatCount(MAX_COUNTED)}+` : formatCount(count);
}

/** "once", "3 times". */
export function formatTimes(count: number): string {
  return count === 1 ? 'once' : counted(count, 'time');
}

/** "1 order", "3 orders": the plural adds an s unless another is given. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

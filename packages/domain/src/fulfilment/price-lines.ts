import { addDecimals, type Decimal, formatDecimal, parseDecimal } from '../model/decimal.ts';
import type { Order } from '../model/order.ts';

/** ISO 4217's code for "no currency": who names it names none. */
const NO_CURRENCY = 'XXX';

const UNKNOWN_CURRENCY =
  'The order names no currency. Choose the one of such orders under Settings, Organisation.';

const ZERO: Decimal = { units: 0n, scale: 0 };

export interface LinePrices {
  /** Null where neither the order nor a setting says it. */
  readonly currency: string | null;
  /** What could not be taken as it came, in sentences. */
  readonly notes: readonly string[];
  /** The exact sum of the lines at these positions. */
  sum(positions: readonly number[]): string;
}

/**
 * What each line of an order costs. An amount never stops a delivery: one that is missing or unreadable counts as
 * nothing, and the note says so. Where no line has an amount, the order's total stands on the first line.
 */
export function priceLines(order: Order, defaultCurrency: string | null): LinePrices {
  const notes: string[] = [];
  const given = order.lines.some(({ amount }) => amount !== null);
  const texts = order.lines.map(({ amount }, at) => (given ? amount : at === 0 ? order.total : null));
  const amounts = texts.map((text) => {
    if (text === null) return ZERO;
    const amount = parseDecimal(text);
    if (!amount) notes.push(`The amount “${text.slice(0, 40)}” is not a number; it counts as 0.`);
    return amount ?? ZERO;
  });
  if (texts.every((text) => text === null)) notes.push('The order names no amount; it counts as 0.');
  const named = order.currency === NO_CURRENCY ? null : order.currency;
  const currency = named ?? defaultCurrency;
  if (currency === null) notes.push(UNKNOWN_CURRENCY);
  return {
    currency,
    notes,
    sum: (positions) =>
      formatDecimal(positions.reduce((sum, at) => addDecimals(sum, amounts[at] ?? ZERO), ZERO)),
  };
}

import { parseDecimal, type TranslatedOrder } from '@handover/domain';

/** What the operator may want to know about an order's money. None of it stops a delivery. */
export function describeOddAmounts({
  currency,
  total,
  lines,
}: Pick<TranslatedOrder, 'currency' | 'total' | 'lines'>): readonly string[] {
  const amounts = [
    { name: 'The total', amount: total },
    ...lines.map(({ amount }, position) => ({ name: `Line ${position + 1}: the amount`, amount })),
  ];
  return [
    ...(total === null ? ['The order names no readable total.'] : []),
    ...(currency !== null && !CURRENCIES.has(currency)
      ? [`The currency code ${currency} is not known.`]
      : []),
    ...amounts.flatMap(({ name, amount }) => (amount === null ? [] : describeAmount(name, amount, currency))),
  ];
}

function describeAmount(name: string, amount: string, currency: string | null): readonly string[] {
  const decimal = parseDecimal(amount);
  if (!decimal) return [];
  const tooFine = currency !== null && CURRENCIES.has(currency) && decimal.scale > currencyDigits(currency);
  return [
    ...(decimal.units < 0n ? [`${name} ${amount} is negative.`] : []),
    ...(tooFine ? [`${name} ${amount} has more decimals than ${currency} has.`] : []),
  ];
}

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

function currencyDigits(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}

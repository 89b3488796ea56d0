import { currencyDigits, parseDecimal, type TranslatedOrder } from '@handover/domain';

/** Notes for the operator about unusual amounts of an order. None of them stops a delivery. */
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
    ...(currency !== null && currencyDigits(currency) === null
      ? [`${currency} is not the code of a currency in circulation.`]
      : []),
    ...amounts.flatMap(({ name, amount }) => (amount === null ? [] : describeAmount(name, amount, currency))),
  ];
}

function describeAmount(name: string, amount: string, currency: string | null): readonly string[] {
  const decimal = parseDecimal(amount);
  if (!decimal) return [];
  // A code that is not in circulation has no known number of digits.
  const digits = currency === null ? null : currencyDigits(currency);
  return [
    ...(decimal.units < 0n ? [`${name} ${amount} is negative.`] : []),
    ...(digits !== null && decimal.scale > digits
      ? [`${name} ${amount} has more decimals than ${currency} has.`]
      : []),
  ];
}

import { currencyDigits, type Formats, parseDecimal } from '@handover/domain';

/**
 * `49.00 EUR`, or null where the amount is unknown: a platform that names no amount leaves 0, and some name
 * no currency, or one that does not exist.
 */
export function formatPrice(
  formats: Formats,
  { amount, currency }: { readonly amount: string; readonly currency: string | null },
): string | null {
  const decimal = parseDecimal(amount);
  const isKnown = currency !== null && currencyDigits(currency) !== null;
  return decimal && decimal.units > 0n && isKnown ? `${formats.amount(amount, currency)} ${currency}` : null;
}

import { type Decimal, parseDecimal } from '@handover/platform-contract';

// https://docs.stripe.com/currencies#minor-units
// This is the vendor's own table; ISO 4217 has other digits for ISK, UGX and MGA.
const NO_DECIMALS: ReadonlySet<string> = new Set([
  ...['BIF', 'CLP', 'DJF', 'GNF', 'JPY', 'KMF', 'KRW', 'MGA'],
  ...['PYG', 'RWF', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'],
]);
const THREE_DECIMALS: ReadonlySet<string> = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND']);

/** Counted in hundredths, though nobody pays in them. */
const HUNDREDTHS_IN_NAME_ONLY: ReadonlySet<string> = new Set(['ISK', 'UGX']);

/** An amount in minor units as one in major units, exact; null where it is no number. */
export function readMinorUnits(text: string | undefined, currency: string | null): Decimal | null {
  const amount = parseDecimal(text ?? '');
  if (!amount) return null;
  const code = currency?.toUpperCase() ?? '';
  const { units, scale } = { units: amount.units, scale: amount.scale + minorDigits(code) };
  const isWhole = scale === 2 && units % 100n === 0n;
  return HUNDREDTHS_IN_NAME_ONLY.has(code) && isWhole ? { units: units / 100n, scale: 0 } : { units, scale };
}

function minorDigits(currency: string): number {
  if (NO_DECIMALS.has(currency)) return 0;
  return THREE_DECIMALS.has(currency) ? 3 : 2;
}

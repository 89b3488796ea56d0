/**
 * Digits after the point of every currency in circulation, by ISO 4217 code
 * (https://www.iso.org/iso-4217-currency-codes.html). Most have two; only the others are listed with their number.
 */
const TWO_DIGITS =
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC ' +
  'CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD ' +
  'KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO ' +
  'NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL ' +
  'THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG';
const NO_DIGITS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF';
const THREE_DIGITS = 'BHD IQD JOD KWD LYD OMR TND';

const DIGITS: ReadonlyMap<string, number> = new Map(
  [
    [NO_DIGITS, 0],
    [TWO_DIGITS, 2],
    [THREE_DIGITS, 3],
  ].flatMap(([codes, digits]) =>
    String(codes)
      .split(' ')
      .map((code) => [code, Number(digits)] as const),
  ),
);

/** How many digits a currency has after the point; null for a code that ISO 4217 does not list. */
export function currencyDigits(code: string): number | null {
  return DIGITS.get(code) ?? null;
}

type ReadAmount =
  | { readonly kind: 'valid'; readonly amount: string }
  | { readonly kind: 'invalid'; readonly problem: string };

/**
 * Reads an amount that a person typed: it may have at most the fraction digits of its currency, except for zeros (`3000.00`
 * JPY). An unknown currency does not limit them.
 */
export function readAmount(text: string, currency: string): ReadAmount {
  const digits = currencyDigits(currency) ?? 2;
  const isKnown = currencyDigits(currency) !== null;
  const example = digits === 0 ? '49' : `49.${'0'.repeat(digits)}`;
  const invalid = (problem: string) => ({ kind: 'invalid', problem }) as const;
  if (/^\d+,\d+$/.test(text.trim())) return invalid(`must be written with a point: ${example}`);
  const typed = /^\d{1,15}(\.\d+)?$/.test(text.trim()) ? parseDecimal(text) : null;
  if (!typed) return invalid(`must be a number such as ${example}`);
  // Programs write two decimals for every currency. Three zeros may be thousands, 1.000 or 1,000: they are not trimmed.
  const decimal = typed.scale <= 2 ? trimTo(typed, digits) : typed;
  if (isKnown && decimal.scale > digits) return invalid(describeDigits(currency, digits, example));
  return { kind: 'valid', amount: formatDecimal(padTo(decimal, digits)) };
}

function describeDigits(currency: string, digits: number, example: string): string {
  const have = digits === 0 ? 'no digits' : digits === 1 ? 'one digit' : `at most ${digits} digits`;
  return `must have ${have} after the point in ${currency}: ${example}`;
}

/**
 * An amount as data, with at least the fraction digits of its currency: `12.50` for 12.5 EUR. Further digits stay as they were
 * received. A text that is not a number, or has an unknown currency, is returned unchanged.
 */
export function writeAmount(amount: string, currency: string | null): string {
  const decimal = parseDecimal(amount);
  return decimal ? formatDecimal(padTo(decimal, digitsOf(currency))) : amount;
}

/** Like `writeAmount`, for people: without zeros beyond the fraction digits of the currency. */
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

/** An exact decimal number: `units` / 10^`scale`. Money never passes through a float. */
export interface Decimal {
  readonly units: bigint;
  /** Digits after the point, kept as received: 49.00 has 2. */
  readonly scale: number;
}

/** More than any price needs. It limits the memory that an exponent can use. */
const MAX_DIGITS = 40;

/** Reads `49.00`, `-3`, `.5` or a JSON number's `1e3`; null for anything else (such as `$29.95` or `29,95`). */
export function parseDecimal(text: string): Decimal | null {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text.trim());
  if (!match) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  if (whole === '' && fraction === '') return null;
  const shift = Number(exponent);
  if (whole.length + fraction.length + Math.abs(shift) > MAX_DIGITS) return null;
  const scale = fraction.length - shift;
  const digits = BigInt(whole + fraction) * (scale < 0 ? 10n ** BigInt(-scale) : 1n);
  return { units: sign === '-' ? -digits : digits, scale: Math.max(scale, 0) };
}

/** The decimal as plain text, with every digit of its scale. */
export function formatDecimal({ units, scale }: Decimal): string {
  const sign = units < 0n ? '-' : '';
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** The exact sum, with the larger scale of the two. */
export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { units: rescale(a, scale) + rescale(b, scale), scale };
}

/** The exact difference, which may be negative. */
export function subtractDecimals(a: Decimal, b: Decimal): Decimal {
  return addDecimals(a, { units: -b.units, scale: b.scale });
}

/**
 * The exact product with a whole number, such as a quantity.
 *
 * @throws RangeError for a fraction.
 */
export function multiplyDecimal(decimal: Decimal, wholeNumber: number): Decimal {
  return { units: decimal.units * BigInt(wholeNumber), scale: decimal.scale };
}

function rescale({ units, scale }: Decimal, to: number): bigint {
  return units * 10n ** BigInt(to - scale);
}

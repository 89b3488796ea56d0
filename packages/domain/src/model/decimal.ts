/** An exact decimal number: `units` / 10^`scale`. Money never passes through a float. */
export interface Decimal {
  readonly units: bigint;
  /** Digits after the point, kept as received: 49.00 has 2. */
  readonly scale: number;
}

/** More digits than any price has, few enough that no exponent can fill the memory. */
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

/** Exact; with as many decimals as the longer of the two. */
export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { units: rescale(a, scale) + rescale(b, scale), scale };
}

/** Exact, and may be negative. */
export function subtractDecimals(a: Decimal, b: Decimal): Decimal {
  return addDecimals(a, { units: -b.units, scale: b.scale });
}

/** Exact; `wholeNumber` must be one, such as a quantity. */
export function multiplyDecimal(decimal: Decimal, wholeNumber: number): Decimal {
  return { units: decimal.units * BigInt(wholeNumber), scale: decimal.scale };
}

function rescale({ units, scale }: Decimal, to: number): bigint {
  return units * 10n ** BigInt(to - scale);
}

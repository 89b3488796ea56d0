import { type Candidate, parseDecimal } from '@handover/domain';
import { MAX_LINES } from './read-payload.ts';

/** Joins first and last name; either can be missing. */
export function joinNames(...parts: readonly (string | undefined)[]): string | null {
  return parts.filter((part) => part !== undefined && part !== '').join(' ') || null;
}

/** `pads` of `/music/pads`. */
export function lastSegment(path: string | undefined): string | undefined {
  return path
    ?.split('/')
    .map((segment) => segment.trim())
    .findLast((segment) => segment !== '');
}

/**
 * Splits a text with several names at commas and semicolons. Never at blanks, because product names contain
 * them. It reads just enough names to detect that there are more than the limit.
 */
export function splitNames(text: string | undefined): readonly string[] {
  const names: string[] = [];
  for (const [piece] of (text ?? '').matchAll(/[^,;]+/g)) {
    const name = piece.trim();
    if (name !== '') names.push(name);
    if (names.length > MAX_LINES) break;
  }
  return names;
}

/** The quantity of a line. A missing quantity means one; so does an unreadable one, with a note. */
export function countItems(quantity: string | undefined, line: string, notes: string[]): number {
  const count = readQuantity(quantity);
  if (count === null && quantity !== undefined) notes.push(`${line}: no readable quantity; taken as 1.`);
  return count ?? 1;
}

/** The candidates for a line's product, best first: the merchant's own texts before the vendor's numbers. */
export function listCandidates({
  skus,
  vendorIds,
}: {
  readonly skus: readonly (string | undefined)[];
  readonly vendorIds: readonly (string | undefined)[];
}): readonly Candidate[] {
  return [
    ...skus.filter(isGiven).map((value) => ({ kind: 'sku', value }) as const),
    ...vendorIds.filter(isGiven).map((value) => ({ kind: 'vendor-id', value }) as const),
  ];
}

/** A whole number from 0 up, also when written as `2.0`; null for any other text. */
export function readQuantity(text: string | undefined): number | null {
  const decimal = parseDecimal(text ?? '');
  if (!decimal) return null;
  const { units, scale } = decimal;
  const one = 10n ** BigInt(scale);
  const quantity = Number(units / one);
  return units >= 0n && units % one === 0n && Number.isSafeInteger(quantity) ? quantity : null;
}

/** Platforms write 0 for a missing SKU, variant or product. */
function isGiven(value: string | undefined): value is string {
  return value !== undefined && value !== '' && value !== '0';
}

import { MAX_LINES } from './read-payload.ts';
import { readQuantity } from './read-values.ts';

/** First and last name as one, whichever of them are there. */
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
 * The names in a text with several, at commas and semicolons. Never at blanks: a word of one product's name may be
 * another product's. Just enough are read to tell that there were more than any order has.
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

/** How many of a line were bought. What is not said means one; what cannot be read does too, with a note. */
export function countItems(quantity: string | undefined, line: string, notes: string[]): number {
  const count = readQuantity(quantity);
  if (count === null && quantity !== undefined) notes.push(`${line}: no readable quantity; taken as 1.`);
  return count ?? 1;
}

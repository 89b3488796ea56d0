import { MAX_LINES } from './read-payload.ts';
import { readQuantity } from './read-values.ts';

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

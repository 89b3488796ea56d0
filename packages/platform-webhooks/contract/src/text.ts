import { stripVTControlCharacters } from 'node:util';

/** The maximum length of each text, in UTF-16 units: index rows of the database are limited. */
export const MAX_LENGTHS = {
  orderId: 200,
  orderNumber: 200,
  sku: 200,
  name: 300,
  email: 254,
  currency: 20,
  /** Of a language tag: https://www.rfc-editor.org/rfc/rfc5646#section-4.4.1 */
  language: 35,
  sentence: 500,
} as const;

/**
 * One line of text as stored: well-formed, without control characters (PostgreSQL cannot store NUL),
 * trimmed; null when nothing is left.
 */
export function cleanText(text: string): string | null {
  // Nearly all text is clean, and is only scanned.
  const clean = UNCLEAN.test(text)
    ? text.replace(/[\t\n\v\f\r\u2028\u2029]+/g, ' ').replace(/\p{Cc}+/gu, '')
    : text;
  const trimmed = clean.toWellFormed().trim();
  return trimmed === '' ? null : trimmed;
}

const UNCLEAN = /[\p{Cc}\u2028\u2029]/u;

/** Truncates a text, never within a surrogate pair. */
export function cutText(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return text
    .slice(0, longest)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd();
}

const MAX_REASON = 300;

/**
 * What other people's code threw, for a sentence at a terminal: one short line without control characters, escape
 * sequences or changes of direction. Anything can be thrown, also what cannot be turned into a text.
 */
export function describeThrown(thrown: unknown): string {
  try {
    const text = thrown instanceof Error ? thrown.message : thrown;
    const line = cleanText(stripVTControlCharacters(String(text)).replace(DIRECTIONS, '')) ?? NO_REASON;
    return line.length <= MAX_REASON ? line : `${cutText(line, MAX_REASON)}…`;
  } catch {
    return NO_REASON;
  }
}

const NO_REASON = 'It gave no reason.';

/** Characters that turn the direction of the text after them. */
const DIRECTIONS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

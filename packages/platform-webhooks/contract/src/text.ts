/** The maximum length of each text, in UTF-16 units: index rows of the database are limited. */
export const LONGEST = {
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

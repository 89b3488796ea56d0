/** How much of each text is kept, in UTF-16 units: index rows of the database are limited. */
export const LONGEST = {
  orderId: 200,
  orderNumber: 200,
  sku: 200,
  name: 300,
  email: 254,
  currency: 20,
  sentence: 500,
} as const;

/**
 * One line of text as we keep it: well-formed, without control characters (PostgreSQL cannot hold NUL), trimmed;
 * null when nothing is left.
 */
export function cleanText(text: string): string | null {
  // Nearly all text is clean, and is only looked through.
  const clean = UNCLEAN.test(text)
    ? text.replace(/[\t\n\v\f\r\u2028\u2029]+/g, ' ').replace(/\p{Cc}+/gu, '')
    : text;
  const trimmed = clean.toWellFormed().trim();
  return trimmed === '' ? null : trimmed;
}

const UNCLEAN = /[\p{Cc}\u2028\u2029]/u;

/** The beginning of a text, never ending in half a character. */
export function cutText(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return text
    .slice(0, longest)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd();
}

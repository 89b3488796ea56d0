/**
 * The slug that a text normalises to: NFKC, lower case, runs of anything but letters a to z and digits become one
 * hyphen, none at the ends. May be empty: then it is no slug.
 */
export function normalizeSlug(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

const MAX_WORD_LENGTH = 60;
const MAX_WORDS = 40;

/**
 * The words of a text as a search knows them: normalized, letters and digits only, each once. A purchase is found when each
 * word of the search begins a word of its customer's name or address (or when the whole search begins its order
 * number, or names its product).
 */
export function searchWords(text: string): readonly string[] {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '')
    .map((word) => word.slice(0, MAX_WORD_LENGTH));
  return [...new Set(words)].slice(0, MAX_WORDS);
}

/** An order number as people type it: without the sign before it, and in either case. */
export function normalizeOrderNumber(text: string): string {
  return text.normalize('NFKC').trim().replace(/^#/, '').toLowerCase();
}

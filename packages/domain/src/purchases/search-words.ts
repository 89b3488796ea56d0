const MAX_WORD_LENGTH = 60;
const MAX_WORDS = 40;

/**
 * The words of a text for a search: normalized, letters and digits only, each once, at most 40 of at most 60 characters. A
 * purchase matches if each word of the search begins a word of its customer's name or address, or if the whole search begins
 * its order number or names its product.
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

/**
 * The words by which a customer is found: those of the text, and each word with accents also without them, because people
 * often type a name without its accents.
 */
export function wordsToFind(text: string): readonly string[] {
  const words = searchWords(text);
  // A word that is only an accent, as in "O´ Connor", becomes empty, which PostgreSQL refuses.
  const plain = words.map(withoutAccents).filter((word) => word !== '');
  return [...new Set([...words, ...plain])];
}

function withoutAccents(word: string): string {
  const letters = word.normalize('NFKD').replace(ACCENTS, '');
  return letters.replace(/[øłđıßæœ]/g, (letter) => LETTERS[letter] ?? letter).normalize('NFC');
}

/** The accents of Latin, Greek and Cyrillic letters. In other scripts a combining mark makes another letter. */
const ACCENTS = /[\u0300-\u036f]/g;
/** Letters that Unicode does not decompose. */
const LETTERS: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
};

/** The form in which order numbers are compared: without a leading #, in lower case. */
export function normalizeOrderNumber(text: string): string {
  return text.normalize('NFKC').trim().replace(/^#/, '').toLowerCase();
}

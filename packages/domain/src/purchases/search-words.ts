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

/**
 * The words by which a customer is found: those of the text, and for each with accents the same without, because a person
 * who types a name from a mail seldom types its accents.
 */
export function wordsToFind(text: string): readonly string[] {
  const words = searchWords(text);
  // Of an accent that stands alone, as in "O´ Connor", nothing is left, and PostgreSQL refuses an empty word.
  const plain = words.map(withoutAccents).filter((word) => word !== '');
  return [...new Set([...words, ...plain])];
}

function withoutAccents(word: string): string {
  const letters = word.normalize('NFKD').replace(ACCENTS, '');
  return letters.replace(/[øłđıßæœ]/g, (letter) => LETTERS[letter] ?? letter).normalize('NFC');
}

/** Those of Latin, Greek and Cyrillic letters. Other scripts have marks that make another letter. */
const ACCENTS = /[\u0300-\u036f]/g;
/** Letters that Unicode does not take apart. */
const LETTERS: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
};

/** An order number as people type it: without the sign before it, and in either case. */
export function normalizeOrderNumber(text: string): string {
  return text.normalize('NFKC').trim().replace(/^#/, '').toLowerCase();
}

import { normalizeEmail, readEmail } from '../model/email-address.ts';
import type { SearchHit, SearchHitKind, SearchTerms } from '../model/search.ts';
import { normalizeSku } from '../model/sku-mapping.ts';
import { normalizeOrderNumber, searchWords } from '../purchases/search-words.ts';

/** The rest of a longer text is ignored. */
export const MAX_SEARCH_LENGTH = 200;

/**
 * Reads the terms of a search. A text that begins with # is an order's number only. A text with an @ is an address, or the
 * beginning of one. Any other text can be a name, a number or a SKU.
 */
export function readSearch(text: string): SearchTerms {
  // No stored text contains a NUL.
  const typed = text.slice(0, MAX_SEARCH_LENGTH).replaceAll('\0', ' ').normalize('NFKC').trim();
  const orderNumber = normalizeOrderNumber(typed) || null;
  if (typed.startsWith('#')) return { ...NOTHING, orderNumber };
  const words = searchWords(typed);
  const address = readEmail(typed);
  const addressStart = /^\S+$/.test(typed) ? typed.toLowerCase() : null;
  if (typed.includes('@'))
    return { ...NOTHING, words, address: address && normalizeEmail(address), addressStart };
  return { words, orderNumber, address: null, addressStart, sku: normalizeSku(typed) || null };
}

const NOTHING: SearchTerms = { words: [], orderNumber: null, address: null, addressStart: null, sku: null };

/** Whether there is anything to search for. */
export function isBlankSearch({ words, orderNumber, sku }: SearchTerms): boolean {
  return words.length === 0 && orderNumber === null && sku === null;
}

/** Whether a text is long enough for the end of one of Stripe's order ids. They all begin alike, so people search by their ends. */
export function isTail(orderNumber: string): boolean {
  return orderNumber.length >= 5;
}

/** The order of the groups, unless one has an exact hit. */
const KINDS: readonly SearchHitKind[] = ['order', 'entry', 'rejected', 'buyer', 'product'];

/** The hits of one kind. */
export interface SearchGroup {
  readonly kind: SearchHitKind;
  /** The best first: see {@link compareHits}. Never empty. */
  readonly hits: readonly SearchHit[];
}

/** Groups the hits by kind. Groups with an exact hit come first. */
export function groupHits(hits: readonly SearchHit[]): readonly SearchGroup[] {
  const groups = KINDS.map((kind) => ({
    kind,
    hits: hits.filter((hit) => hit.kind === kind).toSorted(compareHits),
  })).filter((group) => group.hits.length > 0);
  const isExact = (group: SearchGroup) => group.hits[0]?.isExact === true;
  return [...groups.filter(isExact), ...groups.filter((group) => !isExact(group))];
}

/** The order within a kind: exact hits first, then those that are not ignored, then the newest. */
export function compareHits(a: SearchHit, b: SearchHit): number {
  return (
    Number(b.isExact) - Number(a.isExact) ||
    Number(a.status === 'ignored') - Number(b.status === 'ignored') ||
    b.at.getTime() - a.at.getTime() ||
    (a.id < b.id ? 1 : -1)
  );
}

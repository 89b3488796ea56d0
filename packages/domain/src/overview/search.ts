import { normalizeEmail, readEmail } from '../model/email-address.ts';
import type { SearchHit, SearchHitKind, SearchTerms } from '../model/search.ts';
import { normalizeSku } from '../model/sku-mapping.ts';
import { normalizeOrderNumber, searchWords } from '../purchases/search-words.ts';

/** Nobody types more, and what is pasted need not be read to its end. */
export const MAX_SEARCH_LENGTH = 200;

/**
 * What a text may be that is searched for everywhere. With # before it, it is an order's number and nothing else. With an @
 * in it, it is an address, or how one begins. Any other text may be a name, a number or a SKU.
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

/** Long enough to be the end of one of Stripe's order ids, which all begin alike. People read and copy their ends. */
export function isTail(orderNumber: string): boolean {
  return orderNumber.length >= 5;
}

/** In this order, unless one is named exactly. */
const KINDS: readonly SearchHitKind[] = ['order', 'entry', 'rejected', 'buyer', 'product'];

/** What was found of one kind. */
export interface SearchGroup {
  readonly kind: SearchHitKind;
  /** The best first; never empty. */
  readonly hits: readonly SearchHit[];
}

/** Groups what was found by kind. What is named exactly comes first, with its group: see `compareHits`. */
export function groupHits(hits: readonly SearchHit[]): readonly SearchGroup[] {
  const groups = KINDS.map((kind) => ({
    kind,
    hits: hits.filter((hit) => hit.kind === kind).toSorted(compareHits),
  })).filter((group) => group.hits.length > 0);
  const isExact = (group: SearchGroup) => group.hits[0]?.isExact === true;
  return [...groups.filter(isExact), ...groups.filter((group) => !isExact(group))];
}

/** The order within a kind: what is named exactly, then the newest; what is ignored comes after the others. */
export function compareHits(a: SearchHit, b: SearchHit): number {
  return (
    Number(b.isExact) - Number(a.isExact) ||
    Number(a.status === 'ignored') - Number(b.status === 'ignored') ||
    b.at.getTime() - a.at.getTime() ||
    (a.id < b.id ? 1 : -1)
  );
}

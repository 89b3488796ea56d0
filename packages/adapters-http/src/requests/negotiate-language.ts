import { DEFAULT_LANGUAGE, LANGUAGES, type Language, readLanguage } from '@handover/domain';
import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { type Wording, wordingOf } from '../messages/wording-of.ts';

type Request = Pick<FastifyRequest, 'headers'>;

/** What a page is written with: in the language that the browser prefers, else in that of the shop. */
export function negotiateWording(request: Request, ofShop: Language = DEFAULT_LANGUAGE): Wording {
  // A browser that takes any language gets the first.
  const offered = [ofShop, ...LANGUAGES.filter((language) => language !== ofShop)];
  const header = request.headers['accept-language'];
  const headers = header === undefined ? {} : { 'accept-language': listRanges(header).join(',') };
  return wordingOf(readLanguage(new Negotiator({ headers }).language(offered)) ?? ofShop);
}

/** The language of ours that a browser prefers among those that it names; null where it names none. */
export function readRequestedLanguage({ headers }: Request): Language | null {
  const named = listRanges(headers['accept-language'] ?? '')
    .filter((range) => !range.trim().startsWith('*'))
    .join(',');
  return readLanguage(new Negotiator({ headers: { 'accept-language': named } }).language([...LANGUAGES]));
}

/**
 * Whether numbers have a decimal comma in the language that a browser names first: spreadsheets on the same computer are likely
 * to expect it.
 */
export function hasDecimalComma({ headers }: Request): boolean {
  const [first = ''] = (headers['accept-language'] ?? '').slice(0, MAX_NAME_LENGTH).split(/[,;]/, 1);
  try {
    return new Intl.NumberFormat(first.trim()).format(1.5).includes(',');
  } catch {
    // Not the name of a language, such as "*".
    return false;
  }
}

/** Of a language: a header can have one of thousands of letters. */
const MAX_NAME_LENGTH = 35;

/** Browsers name a handful. Each of the thousands that a header can have is compared with all of ours, for any page. */
const MAX_RANGES = 50;

function listRanges(header: string): readonly string[] {
  return header.split(',', MAX_RANGES);
}

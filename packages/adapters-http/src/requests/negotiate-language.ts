import { DEFAULT_LANGUAGE, LANGUAGES, type Language, readLanguage } from '@handover/domain';
import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { type Wording, wordingOf } from '../messages/wording-of.ts';

type Request = Pick<FastifyRequest, 'headers'>;

/** What a page is written with: in the language that the browser prefers, else in that of the shop. */
export function negotiateWording(request: Request, ofShop: Language = DEFAULT_LANGUAGE): Wording {
  // A browser that takes any language gets the first.
  const offered = [ofShop, ...LANGUAGES.filter((language) => language !== ofShop)];
  return wordingOf(readLanguage(new Negotiator(request).language(offered)) ?? ofShop);
}

/** The language of ours that a browser prefers among those that it names; null where it names none. */
export function readRequestedLanguage({ headers }: Request): Language | null {
  const ranges = (headers['accept-language'] ?? '').split(',');
  const named = ranges.filter((range) => !range.trim().startsWith('*')).join(',');
  return readLanguage(new Negotiator({ headers: { 'accept-language': named } }).language([...LANGUAGES]));
}

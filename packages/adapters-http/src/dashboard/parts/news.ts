import { type Html, html } from '@handover/html';
import type { ListPage } from '../take-page.ts';
import { counted } from './money.ts';

/**
 * What an element is about now, in a few words: live.js has screen readers say them when a search or a poll changes them. Null
 * where nothing is to be said.
 */
export function news(words: string | null): Html | null {
  return words === null ? null : html`data-news="${words}"`;
}

/** What a search found. */
export function newsOfList(
  { found, isMore }: ListPage<unknown>,
  noun: string,
  plural = `${noun}s`,
): Html | null {
  if (found.length === 0) return news(`No ${plural} found`);
  return news(`${counted(found.length, noun, plural)}${isMore ? ', and older ones on the next page' : ''}`);
}

import { type Html, html } from '@handover/html';
import { linkButton } from './button.ts';
import { alertIcon, searchIcon } from './icons.ts';

/** The text that a list is searched for. */
export function searchField({
  label,
  text,
  placeholder,
}: {
  readonly label: string;
  readonly text: string;
  readonly placeholder: string;
}): Html {
  return html`<div class="search">${searchIcon}<label class="visually-hidden" for="q">${label}</label><input class="input" type="search" id="q" name="q" value="${text}" placeholder="${placeholder}" autocomplete="off"></div>${searchProblem}`;
}

/** Where other searches find nothing: the log knows addresses that were corrected since, and orders that nobody waits for. */
export function searchLogButton(text: string, size: { readonly small?: boolean } = {}): Html {
  const address = `/dashboard/webhook-log?${new URLSearchParams({ q: text })}`;
  return linkButton(address, { words: 'Search the webhook log', ...size });
}

/**
 * For a form that searches while one types: answers.js shows this when a request fails, and keeps the
 * previous result and the typed text.
 */
export const searchProblem = noAnswer('Your text is kept; press Enter to search again.');

/** As {@link searchProblem}, for a form with filters only. */
export const filterProblem = noAnswer('The list is as before; choose again.');

function noAnswer(sentence: string): Html {
  return html`<p class="search-problem" role="alert" data-search-problem hidden>${alertIcon}<span>No answer. ${sentence}</span></p>`;
}

import { type Html, html } from '@handover/html';
import type { Answer } from '../dashboard-route.ts';
import { pageHeader } from '../parts/page-header.ts';
import { searchForm } from '../parts/search-everywhere.ts';
import { type FoundEverywhere, searchResults, searchStatus } from './search-results.ts';

/** The search as a page of its own. With a script it searches while one types. */
export function searchPage(found: FoundEverywhere): Answer {
  const main = html`${pageHeader({ title: 'Search', meta: ['Everything in one place'] })}<div data-everywhere>${searchForm('page', found.text)}
<div id="found-everywhere"><p class="visually-hidden" role="status">${searchStatus(found)}</p><div class="card search-card">${searchResults(found)}</div></div></div>`;
  return { kind: 'page', title: 'Search', main };
}

/** For the dialog: the results, and beside them what screen readers say. `data-for`: what they answer. */
export function searchNews(found: FoundEverywhere): Html {
  return html`<div data-for="${found.text}">${searchResults(found)}</div><p hx-swap-oob="innerHTML:#search-status">${searchStatus(found)}</p>`;
}

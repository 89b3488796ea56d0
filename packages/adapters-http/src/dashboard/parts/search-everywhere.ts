import { type Html, html } from '@handover/html';
import { searchIcon } from './icons.ts';
import { searchProblem } from './search-field.ts';

const DIALOG = 'search-everywhere';

/** In the sidebar and the bar of phones. Without a script it leads to the page, with one it opens the dialog. */
export const searchLink: Html = html`<a class="search-link" href="/dashboard/search" data-open-search>${searchIcon}<span>Search</span><kbd data-shortcut>Ctrl K</kbd></a>`;

/** On phones. */
export const searchBarLink: Html = html`<a class="search-bar-link" href="/dashboard/search" data-open-search>${searchIcon}<span class="visually-hidden">Search everywhere</span></a>`;

/** On every page but the search itself: dashboard.js opens it. */
export const searchDialog: Html = html`<dialog class="dialog search-dialog" id="${DIALOG}" aria-label="Search everywhere"><div data-everywhere>
${searchForm('dialog', '')}
<p class="visually-hidden" role="status" id="search-status"></p>
<div class="search-results" id="search-results"></div>
<footer role="none"><p class="small"><kbd>↑</kbd> <kbd>↓</kbd> to choose, <kbd>Enter</kbd> to open</p><button class="btn" data-variant="outline" data-size="sm" type="button" command="close" commandfor="${DIALOG}">Close</button></footer>
</div></dialog>`;

/** The page replaces its results; the dialog asks for them alone. */
export function searchForm(place: 'page' | 'dialog', text: string): Html {
  const id = `everywhere-${place}`;
  const swap =
    place === 'page'
      ? html`hx-get="/dashboard/search" hx-target="#found-everywhere" hx-select="#found-everywhere" hx-swap="outerHTML" hx-replace-url="true"`
      : html`hx-get="/dashboard/search/results" hx-target="#search-results" hx-swap="innerHTML"`;
  return html`<form class="everywhere" method="get" action="/dashboard/search" role="search" hx-trigger="input changed delay:150ms" hx-sync="this:replace" ${swap}>
<div class="search">${searchIcon}<label class="visually-hidden" for="${id}">Search everywhere</label><input class="input" type="text" inputmode="search" enterkeyhint="search" id="${id}" name="q" value="${text}" placeholder="Buyer, order, product, SKU or page" autocomplete="off" autocapitalize="off" spellcheck="false" autofocus></div><button class="btn visually-hidden" data-variant="outline" type="submit">Search</button>${searchProblem}</form>`;
}

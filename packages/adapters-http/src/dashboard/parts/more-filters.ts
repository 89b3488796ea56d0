import { type Html, type HtmlValue, html } from '@handover/html';
import { filterIcon } from './icons.ts';

/**
 * Filters that would fill the first screen of a phone: there they open at a tap, and are open from the start where one of them is
 * chosen. On wider screens they are simply there.
 */
export function moreFilters(fields: HtmlValue, isChosen: boolean): Html {
  return html`<details class="more-filters"${isChosen ? html` open` : ''}><summary class="btn" data-variant="outline">${filterIcon}Filters</summary><div>${fields}</div></details>`;
}

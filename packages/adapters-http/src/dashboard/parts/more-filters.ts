import { type Html, type HtmlValue, html } from '@handover/html';
import { filterIcon } from './icons.ts';

/**
 * Filters that would fill the first screen of a phone: there they open at a tap, and are open from the start where one of them is
 * chosen. On wider screens they are simply there. `chosen`: how many are; a form that htmx sends replaces it by
 * `hx-select-oob`.
 */
export function moreFilters(fields: HtmlValue, chosen: number): Html {
  return html`<details class="more-filters"${chosen > 0 ? html` open` : ''}><summary class="btn" data-variant="outline">${filterIcon}<span>Filters</span><span class="muted" id="${CHOSEN_FILTERS}">${chosen > 0 && `${chosen} set`}</span></summary><div>${fields}</div></details>`;
}

/** The id of the number of chosen filters. */
export const CHOSEN_FILTERS = 'chosen-filters';

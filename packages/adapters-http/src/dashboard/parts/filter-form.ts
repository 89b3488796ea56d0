import { type Html, type HtmlValue, html } from '@handover/html';
import { filterIcon } from './icons.ts';

interface MoreFilters {
  readonly fields: HtmlValue;
  /** How many of them are chosen. */
  readonly chosen: number;
}

/**
 * The form above a list that filters it: a plain form. With a script, it does so while one types or chooses, and replaces the
 * element `found` with the result.
 */
export function filterForm({
  path,
  look = html`class="filters"`,
  fields,
  more = null,
  end = null,
  isTyped = true,
}: {
  /** The address of the list. */
  readonly path: string;
  /** With the class of its own layout, if it has one. */
  readonly look?: Html;
  readonly fields: Html;
  readonly more?: MoreFilters | null;
  /** What follows the filters. */
  readonly end?: Html | null;
  /** Whether one of the fields is a text. */
  readonly isTyped?: boolean;
}): Html {
  const trigger = isTyped ? 'input changed delay:250ms, change, submit' : 'change, submit';
  return html`<form ${look} method="get" action="${path}" role="search" hx-get="${path}" hx-trigger="${trigger}" hx-sync="this:replace" hx-target="#found" hx-select="#found"${more && html` hx-select-oob="#${CHOSEN}"`} hx-swap="outerHTML" hx-replace-url="true">
${fields}
${more && moreFilters(more)}
${end}<button class="btn visually-hidden" data-variant="outline" type="submit">${isTyped ? 'Search' : 'Show'}</button></form>`;
}

/** The id of the number of chosen filters. */
const CHOSEN = 'chosen-filters';

/**
 * Filters that would fill the first screen of a phone: there they open at a tap, and are open from the start where one of them is
 * chosen. On wider screens they are always visible.
 */
function moreFilters({ fields, chosen }: MoreFilters): Html {
  return html`<details class="more-filters"${chosen > 0 ? html` open` : ''}><summary class="btn" data-variant="outline">${filterIcon}<span>Filters</span><span class="muted" id="${CHOSEN}">${chosen > 0 && `${chosen} set`}</span></summary><div>${fields}</div></details>`;
}

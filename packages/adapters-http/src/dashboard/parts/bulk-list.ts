import { type Html, html } from '@handover/html';

/** What a bulk action is about, or did: a list, or a sentence when it is one. `more`: how many it does not name. */
export function bulkList(named: readonly (Html | string)[], more = 0): Html {
  if (named.length === 1 && more === 0) return html`<p>${named[0]}</p>`;
  return html`<ul class="bulk-list">${named.map((words) => html`<li>${words}</li>`)}${more > 0 && html`<li class="muted">and ${more} more</li>`}</ul>`;
}

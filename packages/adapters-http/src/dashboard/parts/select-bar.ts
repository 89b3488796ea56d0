import { type Html, html } from '@handover/html';
import { submitButton } from './button.ts';

/**
 * What can be done to the selected rows of a list: a button for each action, which adds it to the form.
 */
export function selectBar<Action extends string>({
  things,
  selectAll,
  actions,
  verbs,
  others,
}: {
  /** Such as `purchases`. */
  readonly things: string;
  readonly selectAll?: string;
  readonly actions: readonly Action[];
  readonly verbs: Readonly<Record<Action, string>>;
  /** Further fields. */
  readonly others?: Html;
}): Html {
  const presses = actions.map((value) =>
    submitButton({ words: verbs[value], small: true, danger: value === 'revoke' }, { name: 'action', value }),
  );
  return html`<div class="bulk-bar" role="group" aria-label="Do to the selected ${things}">${selection(presses, selectAll)}${others}</div>`;
}

/** Beside the buttons: a box that selects all rows, and how many are selected. Both work by the script. */
export function selection(buttons: Html | readonly Html[], selectAll = 'Select all on this page'): Html {
  return html`<label data-by-script><input type="checkbox" data-select-page><span class="visually-hidden">${selectAll}</span></label>${buttons}<span class="muted" role="status" data-selected></span>`;
}

/** What a bulk action is about, or did: a list, or a sentence when it is one. `more`: how many it does not name. */
export function bulkList(named: readonly (Html | string)[], more = 0): Html {
  if (named.length === 1 && more === 0) return html`<p>${named[0]}</p>`;
  return html`<ul class="bulk-list">${named.map((words) => html`<li>${words}</li>`)}${more > 0 && html`<li class="muted">and ${more} more</li>`}</ul>`;
}

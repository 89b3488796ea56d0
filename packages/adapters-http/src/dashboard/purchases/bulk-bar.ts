import { type Html, html } from '@handover/html';
import { submitButton } from '../parts/button.ts';

/** The head of a list whose rows can be selected: what can be done to them. `filters`: those of the list. */
export function bulkBar(filters: URLSearchParams): Html {
  const hidden = [...filters].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const press = (value: string, words: string) =>
    submitButton({ words, small: true, danger: value === 'revoke' }, { name: 'action', value });
  return html`<div class="bulk-bar" role="group" aria-label="Do to the selected purchases">${hidden}
<label data-by-script><input type="checkbox" data-select-page><span class="visually-hidden">Select all on this page</span></label>
${press('resend', 'Send again')}${press('revoke', 'Revoke')}${press('restore', 'Restore')}
<span class="muted" role="status" data-selected></span>
<label class="bulk-end"><input type="checkbox" name="all" value="yes">All that match, on every page</label></div>`;
}

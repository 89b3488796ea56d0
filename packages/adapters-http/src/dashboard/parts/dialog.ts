import { type Html, html } from '@handover/html';
import { submitButton } from './button.ts';
import { hiddenFields, postForm } from './form.ts';

/** Confirms a destructive action and names the loss. `dialogButton` opens it. */
export function confirmDialog({
  id,
  title,
  loss,
  action,
  words,
  fields = {},
  csrfToken,
}: {
  readonly id: string;
  readonly title: string;
  readonly loss: string;
  /** The address that the action is posted to. */
  readonly action: string;
  /** The label of the action's button. */
  readonly words: string;
  /** Hidden fields of the form. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly csrfToken: string;
}): Html {
  const body = html`${hiddenFields(Object.entries(fields))}<footer role="none"><button class="btn" data-variant="outline" type="button" command="close" commandfor="${id}">Cancel</button>${submitButton({ words, danger: true })}</footer>`;
  return html`<dialog class="dialog" id="${id}" aria-labelledby="${id}-title"><div>
<h2 id="${id}-title">${title}</h2>
<p>${loss}</p>
${postForm({ action, csrfToken, body })}
</div></dialog>`;
}

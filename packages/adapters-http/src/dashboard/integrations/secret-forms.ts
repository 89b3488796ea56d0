import { SHARED_PLATFORM } from '@handover/domain';
import { html } from 'ghtml';
import { submitButton } from '../parts/button.ts';
import { postForm, textField } from '../parts/form.ts';
import { exactTime } from '../parts/time.ts';
import type { PlatformView } from './platform-page.ts';

/** Secrets go in and never come out: what is shown is when they were set. */
export function secretForms(view: PlatformView): string {
  const { state, connection, formToken, name, problems, serviceIsSetUp } = view;
  if (state.platform === SHARED_PLATFORM) return sharedWords(serviceIsSetUp);
  const action = `/dashboard/settings/integrations/${state.platform}/secret`;
  const whose = connection
    ? html`<input type="hidden" name="shop" value="${connection.id}">`
    : textField({
        name: 'name',
        label: 'Name of the shop',
        value: name,
        required: true,
        help: 'For you: it tells several shops apart.',
        problem: problems.name ?? null,
      });
  const field = textField({
    type: 'password',
    name: 'secret',
    label: connection?.secretSetAt ? 'New signing secret' : 'Signing secret',
    value: '',
    autocomplete: 'off',
    help:
      state.platform === 'cart-a'
        ? 'It becomes part of the URL. Have one made, or enter your own.'
        : 'As the vendor shows it. It is never shown again.',
    problem: problems.secret ?? null,
  });
  const deeds = [
    button('replace', connection?.secretSetAt ? 'Replace' : 'Set the secret'),
    connection?.secretSetAt ? button('add', 'Add beside it') : '',
    state.platform === 'cart-a' ? button('generate', 'Have one made') : '',
  ];
  const body = html`!${whose}!${field}<div class="form-actions">!${deeds}</div>`;
  return html`!${postForm({ action, formToken, body })}!${dates(view)}`;
}

function button(deed: string, words: string): string {
  return submitButton({ words }).replace('<button', html`<button name="deed" value="${deed}"`);
}

function dates({ connection }: PlatformView): string {
  if (!connection?.secretSetAt) return '';
  const { secretSetAt, secretCount, formerUntil } = connection;
  const many =
    secretCount > 1
      ? html`${secretCount} secrets are valid; the newest was set !${exactTime(secretSetAt)}.`
      : html`Set !${exactTime(secretSetAt)}, and never shown again.`;
  const former = formerUntil
    ? html` The one before it goes on working until !${exactTime(formerUntil)}.`
    : '';
  return html`<p class="muted small">!${many}!${former}</p>`;
}

function sharedWords(isSetUp: boolean): string {
  const words = isSetUp
    ? 'The service holds the secret of this address, for all its organisations. There is nothing to set here.'
    : 'Whoever runs this service has not set it up yet. Ask them to.';
  return html`<p class="muted small">${words}</p>`;
}

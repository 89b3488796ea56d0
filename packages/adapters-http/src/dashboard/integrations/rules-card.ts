import type { EvaluatedConnection } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { submitButton, switchButton } from '../parts/button.ts';
import { hiddenField, postForm, textField } from '../parts/form.ts';
import type { PlatformView } from './platform-page.ts';

/** The rules of a connection, each saved separately. */
export function rulesCard(view: PlatformView, { id, rules }: EvaluatedConnection): Html {
  const { state, problems } = view;
  const form = (body: Html) =>
    postForm({
      action: `/dashboard/settings/integrations/${state.platform}/rules`,
      csrfToken: view.csrfToken,
      body: html`${hiddenField('shop', id)}${body}`,
    });
  const choice = (name: string, label: string, help: string, isOn: boolean) =>
    form(
      html`<div class="rule"><div><strong id="${name}-label">${label}</strong><p class="muted small" id="${name}-help">${help}</p></div>${switchButton({ name, isOn })}</div>`,
    );
  const currency = form(
    html`<div class="rule rule-field">${textField({
      name: 'defaultCurrency',
      label: 'Default currency',
      value: view.typedCurrency ?? rules.defaultCurrency ?? '',
      help: 'Used when an order names none: a code such as EUR. If empty, the organisation’s currency is used.',
      problem: problems.defaultCurrency ?? null,
    })}${submitButton({ words: 'Save' })}</div>`,
  );
  const strict =
    state.platform === 'checkout-a-classic'
      ? html`<section>${choice('strict', 'Strict', 'Refuse a proof of origin that was used before, that is older than a day or dated in the future, or that does not name the order. Otherwise it is taken with a note.', rules.strict)}</section>`
      : '';
  return html`<section class="card"><section>${choice('ignoreTestOrders', 'Ignore test orders', 'Log them, deliver nothing.', rules.ignoreTestOrders)}</section>${strict}<section>${currency}</section></section>`;
}

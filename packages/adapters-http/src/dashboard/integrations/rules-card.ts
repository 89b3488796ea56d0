import type { ConnectionRules, EvaluatedConnection } from '@handover/domain';
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

/** The rules in a form; each form has one. */
export function readRulesForm(form: URLSearchParams): Partial<ConnectionRules> {
  const currency = form.get('defaultCurrency')?.trim();
  return {
    ...(form.has('strict') ? { strict: form.get('strict') === 'on' } : {}),
    ...(form.has('ignoreTestOrders') ? { ignoreTestOrders: form.get('ignoreTestOrders') === 'on' } : {}),
    ...(currency === undefined ? {} : { defaultCurrency: currency || null }),
  };
}

/** Describes the changed rules. */
export function formatRules(changed: Partial<ConnectionRules>, rules: ConnectionRules): string {
  const { strict, ignoreTestOrders, defaultCurrency } = rules;
  return [
    'strict' in changed
      ? strict
        ? 'A proof that was used before is refused.'
        : 'A proof that was used before is taken, with a note.'
      : '',
    'ignoreTestOrders' in changed
      ? ignoreTestOrders
        ? 'Test orders are ignored.'
        : 'Test orders are delivered like others.'
      : '',
    'defaultCurrency' in changed
      ? defaultCurrency
        ? `Orders that name no currency are in ${defaultCurrency}.`
        : 'Orders that name no currency are in the organisation’s default.'
      : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

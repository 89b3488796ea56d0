import type { JudgedConnection } from '@handover/domain';
import { html } from 'ghtml';
import { submitButton } from '../parts/button.ts';
import { postForm, textField } from '../parts/form.ts';
import type { PlatformView } from './platform-page.ts';

/** What an operator decides for a connection, each saved by itself. */
export function rulesCard(view: PlatformView, { id, rules }: JudgedConnection): string {
  const { state, problems } = view;
  const form = (body: string) =>
    postForm({
      action: `/dashboard/settings/integrations/${state.platform}/rules`,
      formToken: view.formToken,
      body: html`<input type="hidden" name="shop" value="${id}">!${body}`,
    });
  const choice = (name: string, label: string, help: string, isOn: boolean) =>
    form(
      html`<div class="rule"><div><strong>${label}</strong><p class="muted small">${help} It is <strong>${isOn ? 'on' : 'off'}</strong>.</p></div><input type="hidden" name="${name}" value="${isOn ? 'off' : 'on'}">!${submitButton({ words: `Turn ${isOn ? 'off' : 'on'}`, small: true }).replace('</button>', html`<span class="visually-hidden"> ${label}</span></button>`)}</div>`,
    );
  const currency = form(
    html`!${textField({
      name: 'defaultCurrency',
      label: 'Default currency',
      value: view.typedCurrency ?? rules.defaultCurrency ?? '',
      help: 'Used when an order names none: a code such as EUR. Left empty, such an order has none.',
      problem: problems.defaultCurrency ?? null,
    })}<div class="form-actions">!${submitButton({ words: 'Save the currency', small: true })}</div>`,
  );
  const strict =
    state.platform === 'checkout-a-classic'
      ? html`<section>!${choice('strict', 'Strict', 'Refuse a proof of origin that was used before, that is older than a day, or that does not name the order. Otherwise it is taken with a note.', rules.strict)}</section>`
      : '';
  return html`<section class="card"><section>!${choice('ignoreTestOrders', 'Ignore test orders', 'Log them, deliver nothing.', rules.ignoreTestOrders)}</section>!${strict}<section>!${currency}</section></section>`;
}

import type { DeliveryListRow, Platforms } from '@handover/domain';
import { html } from '@handover/html';
import type { Answer } from '../dashboard-route.ts';
import { linkButton, submitButton } from '../parts/button.ts';
import { postForm, textField } from '../parts/form.ts';
import { atIcon } from '../parts/icons.ts';
import { narrowPage } from '../parts/narrow-page.ts';
import { titleOfEntry } from './format-entry.ts';

/** Asks whom an order is for that came without an address, or with one that no mail can be sent to. */
export function addAddressPage({
  entry,
  csrfToken,
  email,
  problem,
  platforms,
}: {
  readonly entry: DeliveryListRow;
  readonly csrfToken: string;
  readonly email: string;
  readonly problem: string | null;
  readonly platforms: Platforms;
}): Answer {
  const back = { href: `/dashboard/webhook-log/${entry.id}`, words: titleOfEntry(platforms, entry) };
  const body = html`<p>${entry.reason} You find the buyer in ${platforms.vendorOf(entry.platform)} under <strong><bdi>${entry.orderNumber ?? entry.orderId}</bdi></strong>.</p>
<p class="muted">The order is then processed again: what can be delivered is, and the receipt goes to this address.</p>
${textField({ type: 'email', name: 'email', label: 'Buyer’s e-mail address', value: email, required: true, problem })}
<div class="form-actions">${submitButton({ words: 'Add and deliver', icon: atIcon, primary: true })}${linkButton(back.href, { words: 'Cancel' })}</div>`;
  return narrowPage({
    title: 'Add address',
    windowTitle: `Add address: ${back.words}`,
    back,
    status: problem === null ? 200 : 400,
    body: postForm({ action: `/dashboard/webhook-log/${entry.id}/address`, csrfToken, body }),
  });
}

import { SHARED_PLATFORM } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { submitButton } from '../parts/button.ts';
import { postForm, selectField } from '../parts/form.ts';
import { sendIcon } from '../parts/icons.ts';
import { counted } from '../parts/money.ts';
import { formatOrderId } from '../parts/platform.ts';
import { relativeTime } from '../parts/time.ts';
import type { PlatformView } from './platform-page.ts';

/** Sends an order as the vendor would, and shows the latest one. */
export function testOrderSection(view: PlatformView): Html {
  return html`<div class="form"><h3>Test it</h3>${form(view)}${heard(view)}</div>`;
}

function heard({ state, connection, now }: PlatformView): Html | null {
  const { platform, rejected } = state;
  const last = connection?.lastDelivery;
  const lastDelivery = last
    ? html`<dt>Last delivery</dt><dd><a href="/dashboard/webhook-log/${last.id}">${relativeTime(last.at, now)}${last.orderId ? html`, <bdi>${formatOrderId(last.orderId)}</bdi>` : ''}</a></dd>`
    : '';
  const path = `/dashboard/settings/integrations/${platform}/rejected`;
  const signatures = rejected
    ? html`<dt>Signatures</dt><dd><a href="${path}">${counted(rejected.kept, 'rejected delivery', 'rejected deliveries')} kept from the last 7 days</a></dd>`
    : '';
  return lastDelivery || signatures ? html`<dl class="heard">${lastDelivery}${signatures}</dl>` : null;
}

function form({ state, connection, products, serviceIsSetUp, csrfToken }: PlatformView): Html {
  const isReady =
    state.platform === SHARED_PLATFORM
      ? serviceIsSetUp
      : Boolean(connection?.secretSetAt ?? connection?.formerUntil);
  if (!isReady) return html`<p class="muted small">Once the secret is set, you can send a test order.</p>`;
  if (products.length === 0)
    return html`<p class="muted small">Publish a product first: a test order needs one.</p>`;
  const body = html`${connection ? html`<input type="hidden" name="shop" value="${connection.id}">` : ''}<div class="field-and-button">${selectField(
    {
      name: 'product',
      label: 'Product',
      value: products[0]?.id ?? '',
      options: products.map(({ id, name }) => ({ value: id, words: name })),
    },
  )}${submitButton({ words: 'Send test order', icon: sendIcon })}</div>`;
  const action = `/dashboard/settings/integrations/${state.platform}/test-order`;
  return html`<p class="muted small">Sends one genuinely signed order for this product to the webhook URL, with you as the buyer. It is marked as a test, and counts nowhere.</p>${postForm({ action, csrfToken, body })}`;
}

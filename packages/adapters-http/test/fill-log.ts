import { createProduct, type Order } from '@handover/domain';
import { sampleOrder, signedSample, signForTest } from '@handover/platform-storefront-a/testing';
import { completeEmail, makeLine } from '@handover/testkit';
import type { OpenedDashboard } from './open-dashboard.ts';
import { recordedDelivery } from './recorded-delivery.ts';
import { SALE, send } from './send-webhook.ts';

/** What of a sale may differ. */
type Sale = Partial<typeof SALE> & { readonly unpaid?: boolean };

/** Sends a genuine order to the shop a minute later, and answers with the id of its entry in the log. */
export async function sendOrder(dashboard: OpenedDashboard, sale: Sale = {}): Promise<string> {
  dashboard.clock.advance(61_000);
  const answer = await send(dashboard, signedSample('test-secret', { ...SALE, ...sale }));
  return answer.json().deliveryId;
}

/** Sends a signed body as it stands. */
export async function sendBody(dashboard: OpenedDashboard, body: Uint8Array): Promise<string> {
  dashboard.clock.advance(61_000);
  const headers = {
    'content-type': 'application/json',
    'x-storefront-a-topic': 'orders/paid',
    ...signForTest('test-secret', body),
  };
  await send(dashboard, { headers, body, query: {} });
  return (await listIds(dashboard))[0] ?? '';
}

/** A log with an entry of every kind, by what it shows. */
export async function fillLog(dashboard: OpenedDashboard) {
  const draft = { name: 'Nocturne Strings', slug: 'nocturne-strings' };
  await createProduct(dashboard.ports, dashboard.shop.orgId, draft);
  const lines = [{ sku: 'pads' }, { sku: 'TAPE-LOOPS-2' }, { sku: 'nocturne-strings' }];
  const mixed = sampleOrder({ id: '5001', name: '#1186', email: 'ana@example.com' }, lines);
  return {
    ignored: await sendOrder(dashboard, { orderId: '4997', unpaid: true }),
    unreadable: await sendBody(dashboard, new TextEncoder().encode('{"email":"ana@example.com"')),
    unmatched: await sendOrder(dashboard, { orderId: '4998', sku: 'BUNDLE-XMAS' }),
    delivered: await sendOrder(dashboard, { orderId: '4999' }),
    held: await sendBody(dashboard, mixed),
    failing: await failOnce(
      dashboard,
      await sendOrder(dashboard, { orderId: '5002', email: 'mia@example.com' }),
    ),
  };
}

/** Very many entries, over several days; not so many that a session would end meanwhile. */
export async function fillWith(dashboard: OpenedDashboard, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    dashboard.clock.advance(1_200_000);
    const changes: Partial<Order> = { orderId: `${7000 + at}`, orderNumber: `#${7000 + at}` };
    const lines = [makeLine(at % 7 === 0 ? 'BUNDLE-XMAS' : 'pads')];
    await recordedDelivery(dashboard, dashboard.shop, { ...changes, lines });
  }
}

/** The newest first. */
export async function listIds(dashboard: OpenedDashboard): Promise<readonly string[]> {
  const all = { status: null, platform: null, before: null, limit: 200 };
  return (await dashboard.stores.deliveries.list(dashboard.shop.orgId, all)).map(({ id }) => id);
}

/** The mail server does not take the receipt of that entry at the first try. */
async function failOnce(dashboard: OpenedDashboard, deliveryId: string): Promise<string> {
  const { orgId } = dashboard.shop;
  const entry = await dashboard.stores.deliveries.open(orgId, deliveryId);
  const purchaseId = entry?.lines[0]?.purchaseId ?? '';
  const receiptId = (await dashboard.stores.mailings.find(orgId, purchaseId))?.receipt?.id ?? '';
  const at = dashboard.clock.now();
  await completeEmail(dashboard.stores, orgId, receiptId, at, {
    kind: 'try-again',
    at,
    answer: '451 4.7.1 Greylisted, try again in 5 minutes',
    reason: 'The mail server is busy.',
    nextTryAt: new Date(at.getTime() + 300_000),
  });
  return deliveryId;
}

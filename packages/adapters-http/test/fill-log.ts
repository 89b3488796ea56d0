import { createProduct, type Order } from '@handover/domain';
import { completeEmail, makeLine } from '@handover/domain/testing';
import { sampleOrder, signedSample, signForTest } from '@handover/platform-storefront-a/testing';
import type { OpenedDashboard } from './open-dashboard.ts';
import { recordedDelivery } from './recorded-delivery.ts';
import { SALE, send } from './send-webhook.ts';

/** What of a sale may differ. */
type Sale = Partial<typeof SALE> & { readonly unpaid?: boolean };

/** Sends a genuine order to the shop a minute later, and answers with the id of its entry in the log. */
export async function sendOrder(it: OpenedDashboard, sale: Sale = {}): Promise<string> {
  it.clock.advance(61_000);
  const answer = await send(it, signedSample('test-secret', { ...SALE, ...sale }));
  return answer.json().deliveryId;
}

/** Sends a signed body as it stands. */
export async function sendBody(it: OpenedDashboard, body: Uint8Array): Promise<string> {
  it.clock.advance(61_000);
  const headers = {
    'content-type': 'application/json',
    'x-storefront-a-topic': 'orders/paid',
    ...signForTest('test-secret', body),
  };
  await send(it, { headers, body, query: {} });
  return (await listIds(it))[0] ?? '';
}

/** A log with an entry of every kind, by what it shows. */
export async function fillLog(it: OpenedDashboard) {
  const draft = { name: 'Nocturne Strings', slug: 'nocturne-strings' };
  await createProduct(it.ports, it.shop.orgId, draft);
  const lines = [{ sku: 'pads' }, { sku: 'TAPE-LOOPS-2' }, { sku: 'nocturne-strings' }];
  const mixed = sampleOrder({ id: '5001', name: '#1186', email: 'ana@example.com' }, lines);
  return {
    ignored: await sendOrder(it, { orderId: '4997', unpaid: true }),
    unreadable: await sendBody(it, new TextEncoder().encode('{"email":"ana@example.com"')),
    unmatched: await sendOrder(it, { orderId: '4998', sku: 'BUNDLE-XMAS' }),
    delivered: await sendOrder(it, { orderId: '4999' }),
    held: await sendBody(it, mixed),
    failing: await failOnce(it, await sendOrder(it, { orderId: '5002', email: 'mia@example.com' })),
  };
}

/** Very many entries, over several days; not so many that a session would end meanwhile. */
export async function fillWith(it: OpenedDashboard, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    it.clock.advance(1_200_000);
    const changes: Partial<Order> = { orderId: `${7000 + at}`, orderNumber: `#${7000 + at}` };
    const lines = [makeLine(at % 7 === 0 ? 'BUNDLE-XMAS' : 'pads')];
    await recordedDelivery(it, it.shop, { ...changes, lines });
  }
}

/** The newest first. */
export async function listIds(it: OpenedDashboard): Promise<readonly string[]> {
  const all = { status: null, platform: null, before: null, limit: 200 };
  return (await it.stores.deliveries.list(it.shop.orgId, all)).map(({ id }) => id);
}

/** The mail server does not take the receipt of that entry at the first try. */
async function failOnce(it: OpenedDashboard, deliveryId: string): Promise<string> {
  const { orgId } = it.shop;
  const entry = await it.stores.deliveries.open(orgId, deliveryId);
  const purchaseId = entry?.lines[0]?.purchaseId ?? '';
  const receiptId = (await it.stores.mailings.find(orgId, purchaseId))?.receipt?.id ?? '';
  const at = it.clock.now();
  await completeEmail(it.stores, orgId, receiptId, at, {
    kind: 'try-again',
    at,
    answer: '451 4.7.1 Greylisted, try again in 5 minutes',
    reason: 'The mail server is busy.',
    nextTryAt: new Date(at.getTime() + 300_000),
  });
  return deliveryId;
}

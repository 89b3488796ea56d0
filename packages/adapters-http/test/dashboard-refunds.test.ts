import { ALL_PURCHASES } from '@handover/domain';
import { sampleOrder } from '@handover/platform-storefront-a/testing';
import { makeLine } from '@handover/testkit';
import { describe, expect } from 'vitest';
import { sendBody } from './fill-log.ts';
import { decodeHtml, type OpenedDashboard, openDashboard } from './open-dashboard.ts';
import { completeReceipt, deliverOrder } from './sell-purchases.ts';
import { sendEvent } from './send-event.ts';
import { test } from './test-in-shop.ts';

const LOG = '/dashboard/webhook-log';

describe('the log entry', () => {
  test('of a refund says that the purchase still works, and leads to it', async ({ dashboard, owner }) => {
    const order = (id: string, state: string) =>
      sampleOrder({ id, name: `#${id}`, email: 'ana@example.com', financial_status: state }, [
        { sku: 'pads' },
      ]);
    await sendBody(dashboard, order('5001', 'paid'));
    await sendBody(dashboard, order('50012', 'paid'));
    const refund = await sendBody(dashboard, order('5001', 'refunded'));
    const { orgId } = dashboard.shop;
    const all = {
      text: '5001',
      productId: null,
      customerId: null,
      source: null,
      receipt: null,
      before: null,
    };
    const found = await dashboard.stores.purchases.search(orgId, { ...all, limit: 9 });
    const [id, other] = ['5001', '50012'].map((orderId) => found.find((one) => one.orderId === orderId)?.id);
    const { body } = await owner.get(`${LOG}/${refund}`);
    expect(wordsOf(body)).toContain('The order was refunded.');
    const purchase = (await owner.get(`/dashboard/purchases/${id}`)).body;
    expect(wordsOf(purchase)).toContain(
      'Update from Shopify + 2 min 02 s The order was refunded. It changed nothing here.',
    );
    expect(purchase).toContain(`href="/dashboard/webhook-log/${refund}"`);
    expect((await owner.get(`/dashboard/purchases/${other}`)).body).not.toContain('Update from');
    expect(wordsOf(body)).toContain('buyers keep what is not revoked. If the order was refunded');
    expect([
      body.includes(`/dashboard/purchases/${id}"`),
      body.includes(`/dashboard/purchases/${other}"`),
    ]).toEqual([true, false]);
    await owner.submit(`/dashboard/purchases/${id}`, `/dashboard/purchases/${id}/revoke`);
    const later = wordsOf((await owner.get(`${LOG}/${refund}`)).body);
    expect(later).toContain('It is revoked: its links do not work.');
    expect(later).not.toContain('buyers keep');
  });

  test('of an order that waits says before it is delivered that money was given back', async () => {
    const dashboard = await openDashboard();
    const owner = await dashboard.signIn('owner');
    const order = (state: string) =>
      sampleOrder({ id: '5003', financial_status: state }, [{ sku: 'unknown' }]);
    const waiting = await sendBody(dashboard, order('paid'));
    const read = async (id: string) => wordsOf((await owner.get(`${LOG}/${id}`)).body);
    expect(await read(waiting)).not.toContain('gave money back');
    const refund = await sendBody(dashboard, order('refunded'));
    expect(await read(waiting)).toContain('Shopify gave money back for this order');
    expect(await read(waiting)).toContain('Unmatched Refund');
    expect(await read(refund)).not.toContain('gave money back');
  });

  test.each([
    [['pads', 'unknown'], true],
    [['pads'], false],
  ] as const)(
    'of an order with %j that was delivered says so while one of its lines waits: %s',
    async (skus, isSaid) => {
      const dashboard = await openDashboard();
      const owner = await dashboard.signIn('owner');
      const lines = skus.map((sku) => makeLine(sku));
      const { deliveryId, receiptId } = await deliverOrder(dashboard, { orderId: '5004', lines });
      await completeReceipt(dashboard, receiptId, 'sent', '250 OK');
      await sendBody(dashboard, sampleOrder({ id: '5004', financial_status: 'refunded' }, [{ sku: 'pads' }]));
      const words = wordsOf((await owner.get(`${LOG}/${deliveryId}`)).body);
      expect([words.includes('Success'), words.includes('gave money back')]).toEqual([true, isSaid]);
    },
  );

  test('of a refund that names the payment alone leads to what it bought', async ({ dashboard, owner }) => {
    for (const payment_intent of ['pi_77', 'pi_777'])
      await sendEvent(dashboard, { session: { id: `cs_${payment_intent}`, payment_intent } });
    const event = { id: 'evt_2', type: 'charge.refunded' };
    const refund = await sendEvent(dashboard, { session: { id: 'ch_1', payment_intent: 'pi_77' }, event });
    const { body } = await owner.get(`${LOG}/${refund.json().deliveryId}`);
    const [bought, other] = await Promise.all(
      ['cs_pi_77', 'cs_pi_777'].map((id) => findOrder(dashboard, id)),
    );
    expect([body.includes(`/purchases/${bought}"`), body.includes(`/purchases/${other}"`)]).toEqual([
      true,
      false,
    ]);
    expect((await owner.get(`/dashboard/purchases/${bought}`)).body).toMatch(/Refund<\/span>/);
  });
});

async function findOrder(dashboard: OpenedDashboard, orderId: string): Promise<string | undefined> {
  const found = await dashboard.stores.purchases.search(dashboard.shop.orgId, {
    ...{ ...ALL_PURCHASES, before: null, limit: 9 },
    text: orderId,
  });
  return found.find((one) => one.orderId === orderId)?.id;
}

function wordsOf(body: string): string {
  return decodeHtml(body.replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim();
}

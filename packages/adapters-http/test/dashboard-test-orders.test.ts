import { signedSample } from '@handover/platform-storefront-a/testing';
import { describe, expect, test } from 'vitest';
import { openDashboard } from './open-dashboard.ts';
import { deliverOrder } from './sell-purchases.ts';
import { SALE, send } from './send-webhook.ts';

const BADGE = /<span class="badge" data-tone="quiet"><svg.*?<\/svg>Test<\/span>/g;

async function openTested() {
  const dashboard = await openDashboard();
  const real = await deliverOrder(dashboard, { orderId: '1', orderNumber: '#1' });
  const tested = await deliverOrder(dashboard, { orderId: '2', orderNumber: '#2' }, { isTest: true });
  return { ...dashboard, admin: await dashboard.signIn('admin'), real, tested };
}

describe('a test order', () => {
  test('has a badge in both lists and on both pages, and a real order has none', async () => {
    const { admin, real, tested } = await openTested();
    const badges = async (path: string) =>
      (await admin.get(`/dashboard/${path}`)).body.match(BADGE)?.length ?? 0;
    expect(await badges('purchases')).toBe(1);
    expect(await badges(`purchases/${tested.purchaseId}`)).toBe(1);
    expect(await badges(`purchases/${real.purchaseId}`)).toBe(0);
    expect(await badges('webhook-log')).toBe(1);
    expect(await badges(`webhook-log/${tested.deliveryId}`)).toBe(2);
    expect(await badges(`webhook-log/${real.deliveryId}`)).toBe(1);
  });

  test('is not in the CSV of purchases', async () => {
    const { admin } = await openTested();
    const { body } = await admin.get('/dashboard/purchases.csv');
    expect(body).toContain('#1');
    expect(body).not.toContain('#2');
  });

  test('is all that the list shows when asked for, and its CSV', async () => {
    const { admin } = await openTested();
    const list = await admin.get('/dashboard/purchases?status=test&from=2020-01-01');
    expect(list.body).toContain('>#2<');
    expect(list.body).not.toContain('>#1<');
    expect(list.body).not.toContain('without test orders');
    expect(list.body).toContain('href="/dashboard/purchases.csv?status&#61;test&#38;from&#61;2020-01-01"');
    const { body } = await admin.get('/dashboard/purchases.csv?status=test');
    expect([body.includes('#1'), body.includes('#2')]).toEqual([false, true]);
  });

  test('can be deleted on its page after a question, and a real order cannot', async () => {
    const { admin, real, tested, ports, shop } = await openTested();
    const pageOf = ({ purchaseId }: typeof real) => `/dashboard/purchases/${purchaseId}`;
    expect((await admin.get(pageOf(tested))).body).toContain('Delete this test order?');
    expect((await admin.get(pageOf(real))).body).not.toContain('Delete this test order?');
    const refused = await admin.submit(pageOf(real), `${pageOf(real)}/delete`);
    expect([refused.headers.location, (await admin.get(pageOf(real))).statusCode]).toEqual([
      pageOf(real),
      200,
    ]);
    const deleted = await admin.submit(pageOf(tested), `${pageOf(tested)}/delete`);
    expect(deleted.headers.location).toBe('/dashboard/purchases');
    expect((await admin.get(pageOf(tested))).statusCode).toBe(404);
    expect((await admin.get(`/dashboard/webhook-log/${tested.deliveryId}`)).statusCode).toBe(200);
    const owner = await admin.get('/dashboard/settings/activity');
    expect(owner.body).toContain('The purchase of a test order is deleted');
    expect(await ports.purchases.count(shop.orgId)).toBe(1);
  });

  test('is not among today’s orders', async () => {
    const { admin } = await openTested();
    const { body } = await admin.get('/dashboard/overview');
    expect(body.replace(/<[^>]+>/g, ' ')).toMatch(/Orders today\s+1\s/);
  });
});

test('a verified request is a test only if this installation marked it', async () => {
  const genuine = signedSample('test-secret', SALE);
  const marked = { ...genuine, headers: { ...genuine.headers, 'x-mark': 'ours' } };
  const dashboard = await openDashboard(() => ({
    isTestOrder: ({ headers }) => headers['x-mark'] === 'ours',
  }));
  const open = async (deliveryId: string) =>
    (await dashboard.stores.deliveries.open(dashboard.shop.orgId, deliveryId))?.isTest;
  expect(await open((await send(dashboard, marked)).json().deliveryId)).toBe(true);
  expect(await open((await send(dashboard, genuine)).json().deliveryId)).toBe(false);
});

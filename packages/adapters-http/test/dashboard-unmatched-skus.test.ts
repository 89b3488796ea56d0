import { fulfilOrder, mapSku } from '@handover/domain';
import { sampleOrder } from '@handover/platform-storefront-a/testing';
import { makeLine, makeOrder } from '@handover/testkit';
import { describe, expect } from 'vitest';
import { sendBody } from './fill-log.ts';
import { decodeHtml, hiddenFieldsOf, openDashboard } from './open-dashboard.ts';
import { deliverOrder, sendUnmatched } from './sell-purchases.ts';
import { test } from './test-in-shop.ts';

describe('unmatched SKUs', () => {
  test('are counted in the sidebar and on the list, and their list opens first', async ({ dashboard }) => {
    const admin = await dashboard.signIn('admin');
    await sendUnmatched(dashboard, 'LOOPS', '1');
    await sendUnmatched(dashboard, 'loops', '2');
    await sendUnmatched(dashboard, 'TAPE', '3');
    const { body } = await admin.get('/dashboard/purchases');
    expect(body).toContain('2 unmatched SKUs');
    expect((await admin.get('/dashboard/products')).body).toContain('<span class="count">2');
    const member = await dashboard.signIn('member');
    expect((await member.get('/dashboard/products')).body).not.toContain('class="count"');
    const list = await admin.get('/dashboard/purchases/unmatched');
    expect(list.body).toMatch(/TAPE[\s\S]*1 order[\s\S]*loops[\s\S]*2 orders/i);
  });

  test('name an order that waits, however many were ordered since with SKUs that begin alike', async () => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
    const { deliveryId } = await sendUnmatched(dashboard, 'LOOPS', 'first');
    for (let count = 0; count < 50; count += 1) await sendUnmatched(dashboard, 'LOOPS-2', `${count}`);
    const { body } = await admin.get('/dashboard/purchases/unmatched/map?sku=loops');
    expect(body).toContain(`/dashboard/webhook-log/${deliveryId}`);
  });

  test('name an order that waits for the last of many lines', async ({ dashboard, admin }) => {
    const lines = [...Array.from({ length: 20 }, (_, at) => makeLine(`OTHER-${at}`)), makeLine('TAPE')];
    const { deliveryId } = await deliverOrder(dashboard, { orderId: '9', lines });
    const { body } = await admin.get('/dashboard/purchases/unmatched/map?sku=tape');
    expect(body).toContain(`/dashboard/webhook-log/${deliveryId}`);
  });

  test('show how many orders a mapping delivers, and deliver them', async ({ dashboard, admin }) => {
    await sendUnmatched(dashboard, 'LOOPS', '1');
    await sendUnmatched(dashboard, 'loops', '2');
    const page = '/dashboard/purchases/unmatched/map?sku=loops';
    const map = '/dashboard/purchases/unmatched/map';
    expect((await admin.get(page)).body).toContain('Mapping delivers 2 orders');
    expect((await admin.submit(page, map, { sku: 'loops' })).statusCode).toBe(400);
    expect((await admin.submit(page, map, { sku: 'loops', productId: 'nonsense' })).statusCode).toBe(400);
    const mapped = await admin.submit(page, map, {
      sku: 'loops',
      productId: dashboard.shop.product.id,
      platform: '',
    });
    expect(mapped.statusCode).toBe(303);
    const { body } = await admin.get('/dashboard/purchases/unmatched');
    expect(body).toContain('loops now delivers Pads');
    expect(body).toContain('2 orders are processed again now.');
    expect(body).toContain('Every SKU is matched');
    expect(await dashboard.stores.queuedJobs()).toContainEqual(
      expect.objectContaining({ release: { kind: 'sku', sku: 'loops', platform: null } }),
    );
  });

  test('say who waits for one, and what the shop calls it, from an order that leads there', async () => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
    const order = { id: '5001', name: '#1186', email: 'ana@example.com' };
    const id = await sendBody(
      dashboard,
      sampleOrder(order, [{ sku: 'Loops 1', title: 'Tape Loops, boxed' }]),
    );
    await sendUnmatched(dashboard, 'LOOPS 12', '2');
    const { body } = await admin.get(`/dashboard/webhook-log/${id}`);
    const [, href = ''] = /href="([^"]*)">Map it</.exec(body) ?? [];
    expect(decodeHtml(href)).toBe('/dashboard/purchases/unmatched/map?sku=loops+1');
    const page = decodeHtml((await admin.get(decodeHtml(href))).body);
    expect(page).toContain('Tape Loops, boxed');
    expect(page).toMatch(new RegExp(`Who ordered it[\\s\\S]*webhook-log/${id}[\\s\\S]*ana@example.com`));
    expect(page.match(/class="row-link"/g)).toHaveLength(1);
  });

  test.each(['map', 'not-ours'])('are not overwritten by a page that stayed open: %s', async (answer) => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
    const { deliveryId } = await sendUnmatched(dashboard, 'LOOPS', '1');
    const map = '/dashboard/purchases/unmatched/map';
    const staleFields = hiddenFieldsOf((await admin.get(`${map}?sku=loops`)).body);
    await admin.post('/dashboard/purchases/unmatched/not-ours', staleFields);
    // As the job of the release does.
    const order = makeOrder(dashboard.shop, { orderId: '1', orderNumber: '#1', lines: [makeLine('LOOPS')] });
    await fulfilOrder(dashboard.ports, order, { id: deliveryId, attempts: 1 });
    const productId = dashboard.shop.product.id;
    const late = await admin.post(`/dashboard/purchases/unmatched/${answer}`, { ...staleFields, productId });
    expect(late.statusCode).toBe(400);
    expect(late.body).toContain('Its orders were processed while this page was open');
    const meant = { ...hiddenFieldsOf(late.body), productId };
    expect((await admin.post(`/dashboard/purchases/unmatched/${answer}`, meant)).statusCode).toBe(303);
  });

  test('cannot be mapped for an unknown platform', async ({ dashboard, admin }) => {
    await sendUnmatched(dashboard, 'LOOPS', '1');
    const page = '/dashboard/purchases/unmatched/map';
    const fields = { sku: 'loops', productId: dashboard.shop.product.id, platform: 'cart-z' };
    const refused = await admin.submit(`${page}?sku=loops`, page, fields);
    expect(refused.statusCode).toBe(400);
    expect(decodeHtml(refused.body)).toContain('There is no platform “cart-z”. Choose one of the list.');
    expect(await dashboard.ports.openDeliveries.countUnmatched(dashboard.shop.orgId)).toBe(1);
  });

  test('mapped for one platform name its vendor in the activity log', async ({ dashboard, admin }) => {
    const map = '/dashboard/purchases/unmatched/map';
    const fields = { sku: 'loops', productId: dashboard.shop.product.id, platform: 'cart-a' };
    await admin.submit(`${map}?sku=loops`, map, fields);
    const [entry] = await dashboard.ports.activity.list(dashboard.shop.orgId, {
      subjectId: null,
      before: null,
      limit: 1,
    });
    expect(entry?.summary).toBe('loops of SamCart now delivers Pads.');
  });

  test('that are ignored leave the list', async ({ dashboard, admin }) => {
    await sendUnmatched(dashboard, 'MUG', '1');
    const at = '/dashboard/purchases/unmatched';
    const page = await admin.get(`${at}/map?sku=mug`);
    await admin.submit(`${at}/map?sku=mug`, `${at}/not-ours`, { sku: 'mug' });
    expect((await admin.get(at)).body).toContain('mug is ignored');
    expect(page.body).toContain('We stop flagging it and alerting you');
    expect(page.body).toContain('1 order is waiting');
    const [entry] = await dashboard.ports.activity.list(dashboard.shop.orgId, {
      subjectId: null,
      before: null,
      limit: 1,
    });
    expect(entry).toMatchObject({ kind: 'sku-mapped', actor: admin.email });
    expect((await admin.get(`${at}/map?sku=`)).statusCode).toBe(404);
  });

  test('that were mapped in the meantime no longer wait', async ({ dashboard, admin }) => {
    await sendUnmatched(dashboard, 'LOOPS', '1');
    await mapSku(dashboard.ports, dashboard.shop.orgId, {
      sku: 'loops',
      platform: null,
      productId: dashboard.shop.product.id,
    });
    expect((await admin.get('/dashboard/purchases')).body).not.toContain('unmatched SKU');
  });
});

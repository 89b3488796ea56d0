import { describe, expect } from 'vitest';
import { connectSecondShop } from './connect-second-shop.ts';
import { decodeHtml, openDashboard } from './open-dashboard.ts';
import { deliverOrder } from './sell-purchases.ts';
import { test } from './test-in-shop.ts';

describe('purchases of one of several shops', () => {
  test('are chosen below their platform, kept by links and tables, and lead from the sales report', async () => {
    const { owner, shopOf } = await openTwoShops();
    const { body } = await owner.get(`/dashboard/purchases?source=${shopOf('EU shop')}`);
    expect(listOrders(body)).toEqual(['#2001']);
    expect(body).toContain(`<option value="${shopOf('EU shop')}" selected>Shopify, EU shop</option>`);
    expect(body).toContain('<title>Shopify, EU shop · Purchases');
    const [, csv = ''] = /href="([^"]*\.csv[^"]*)"/.exec(body) ?? [];
    const table = await owner.get(decodeHtml(csv));
    expect([table.body.includes('#2001'), table.body.includes('#1001')]).toEqual([true, false]);
    const report = (await owner.get('/dashboard/reports/sales')).body;
    const [, ofShop = ''] = /href="([^"]*)">Shopify, EU shop</.exec(report) ?? [];
    expect((await owner.get(decodeHtml(ofShop))).body).toContain('1 purchase: 49.00 EUR');
    expect(listOrders((await owner.get('/dashboard/purchases?source=storefront-a')).body)).toEqual([
      '#2001',
      '#1001',
    ]);
  });

  test('are none of a shop that is unknown, and all where the source is unknown', async () => {
    const { owner } = await openTwoShops();
    for (const unknown of ['00000000-0000-7000-8000-00000000ffff', 'x', "'"]) {
      const { statusCode, body } = await owner.get(
        `/dashboard/purchases?source=storefront-a:${encodeURIComponent(unknown)}`,
      );
      expect([statusCode, listOrders(body)]).toEqual([200, []]);
      expect(body).toContain('selected>Shopify, another shop</option>');
    }
    expect(listOrders((await owner.get('/dashboard/purchases?source=x:y')).body)).toEqual(['#2001', '#1001']);
  });

  test('have no choice of their own where a platform has one shop', async ({ owner }) => {
    expect((await owner.get('/dashboard/purchases')).body).not.toContain('value="storefront-a:');
  });
});

/** Each with one order. */
async function openTwoShops() {
  const dashboard = await openDashboard();
  const owner = await dashboard.signIn('owner');
  await connectSecondShop(dashboard);
  await deliverOrder(dashboard);
  const sources = await dashboard.ports.deliveries.listSources(dashboard.shop.orgId);
  const idOf = (named: string) => sources.find(({ name }) => name === named)?.connectionId ?? '';
  const order = { orderId: '2001', orderNumber: '#2001', connectionId: idOf('EU shop') };
  await deliverOrder(dashboard, order);
  return { dashboard, owner, shopOf: (name: string) => `storefront-a:${idOf(name)}` };
}

function listOrders(body: string): readonly string[] {
  return [...body.matchAll(/class="row-link"[^>]*><bdi>(#\d+)</g)].map(([, number = '']) => number);
}

import { createPlatforms, mapSku } from '@handover/domain';
import { signedSample } from '@handover/platform-storefront-a/testing';
import { makeLine, openShop } from '@handover/testkit';
import { describe, expect } from 'vitest';
import { findPages } from '../src/dashboard/search/find-pages.ts';
import { decodeHtml, type OpenedDashboard, openDashboard, type SignedInUser } from './open-dashboard.ts';
import { deliverOrder } from './sell-purchases.ts';
import { SALE, send } from './send-webhook.ts';
import { test } from './test-in-shop.ts';

/** The links of the results, with their texts. */
async function search(user: SignedInUser, text: string): Promise<readonly (readonly [string, string])[]> {
  const { body, statusCode } = await user.get(`/dashboard/search?${new URLSearchParams({ q: text })}`);
  expect(statusCode).toBe(200);
  const links = body.matchAll(/<a class="hit" href="([^"]+)">(.*?)<\/a>/gs);
  return [...links].map(([, href = '', words = '']) => [
    decodeHtml(href),
    words.replace(/<[^>]+>/g, '').trim(),
  ]);
}

async function downloadPads({ ports, shop, clock }: OpenedDashboard, linkId: string): Promise<string> {
  const request = { sessionId: ports.ids.next(), joining: null, client: 'browser', at: clock.now() } as const;
  return (await ports.sessions.begin(shop.orgId, linkId, request)) ?? '';
}

describe('the search for everything', () => {
  test('finds an order, its buyer, a product, a SKU, a page and a setting', async ({ dashboard }) => {
    const { ports, shop } = dashboard;
    const { purchaseId } = await deliverOrder(dashboard);
    await mapSku(ports, shop.orgId, { sku: 'TAPE-7', platform: null, productId: shop.product.id });
    const record = await ports.purchases.show(shop.orgId, purchaseId);
    const owner = await dashboard.signIn('owner');
    const number = record?.orderNumber ?? '';
    expect(number).toMatch(/^#\d/);
    expect((await search(owner, number))[0]?.[0]).toBe(`/dashboard/purchases/${purchaseId}`);
    expect((await search(owner, number))[0]?.[1]).toContain('Shopify');
    expect((await search(owner, number.slice(1)))[0]?.[0]).toBe(`/dashboard/purchases/${purchaseId}`);
    const buyer = `/dashboard/purchases?customer=${record?.customerId}`;
    expect((await search(owner, record?.customerEmail ?? ''))[0]?.[0]).toBe(buyer);
    expect((await search(owner, record?.customerName ?? ''))[0]?.[0]).toBe(buyer);
    const product = `/dashboard/products/${shop.product.id}`;
    expect((await search(owner, 'pads'))[0]?.[0]).toBe(product);
    expect((await search(owner, 'tape-7'))[0]?.[0]).toBe(product);
    expect(await search(owner, 'webhook log')).toEqual([['/dashboard/webhook-log', 'Webhook log']]);
    expect((await search(owner, 'curr'))[0]?.[0]).toBe('/dashboard/settings/organisation#currency');
    // What it leads to is there.
    for (const href of [buyer, product, `/dashboard/purchases/${purchaseId}`]) {
      expect([href, (await owner.get(href)).statusCode]).toEqual([href, 200]);
    }
  });

  test('puts a page whose name begins with the text first, but behind what is named exactly', async () => {
    const dashboard = await openDashboard();
    const { ports, shop } = dashboard;
    const owner = await dashboard.signIn('owner');
    await deliverOrder(dashboard, { customer: { name: 'Recordia Team', email: 'ana@example.com' } });
    const first = async (text: string) => (await search(owner, text))[0]?.[1];
    expect(await first('re')).toBe('Reports');
    expect(await first('rec')).toMatch(/^Record a sale/);
    expect((await search(owner, 'rec')).map(([, words]) => words)).toContain('Recordia Team ana@example.com');
    expect(await first('recordi')).toContain('Recordia Team');
    expect(await first('team')).toBe('Team');
    await mapSku(ports, shop.orgId, { sku: 'TEAM', platform: null, productId: shop.product.id });
    expect(await first('team')).toContain('Pads');
    // A page that has the text within its name comes after people.
    await deliverOrder(dashboard, {
      orderId: '2',
      customer: { name: 'Jo Receipts', email: 'jo@example.com' },
    });
    expect(await first('receipts')).toContain('Jo Receipts');
  });

  test('finds an order that was rejected by its number, and leads to the list of its platform', async () => {
    const dashboard = await openDashboard();
    await send(dashboard, signedSample('another-secret', SALE));
    const owner = await dashboard.signIn('owner');
    const [found, ...more] = await search(owner, '#5001');
    expect(more).toEqual([]);
    expect(found?.[0]).toBe('/dashboard/settings/integrations/storefront-a/rejected');
    expect(found?.[1]).toContain('#5001');
    expect((await owner.get(found?.[0] ?? '')).body).toContain('#5001');
    expect(await search(await dashboard.signIn('member'), '#5001')).toEqual([]);
  });

  test('finds what an id of the API or of a CSV names, members no sales, and strangers nothing', async () => {
    const dashboard = await openDashboard();
    const { ports, shop } = dashboard;
    const { purchaseId, deliveryId } = await deliverOrder(dashboard);
    const record = await ports.purchases.show(shop.orgId, purchaseId);
    const hrefs = async (user: SignedInUser, id: string) => (await search(user, id)).map(([href]) => href);
    const [owner, member] = [await dashboard.signIn('owner'), await dashboard.signIn('member')];
    const other = await openShop({ ...ports, stores: dashboard.stores }, 'Other');
    const stranger = await dashboard.signIn('owner', other.orgId);
    for (const [id, page, isSale] of [
      [purchaseId, `/dashboard/purchases/${purchaseId}`, true],
      [deliveryId, `/dashboard/webhook-log/${deliveryId}`, true],
      [record?.customerId ?? '', `/dashboard/purchases?customer=${record?.customerId}`, true],
      [shop.product.id, `/dashboard/products/${shop.product.id}`, false],
    ] as const) {
      expect(await hrefs(owner, ` ${id.toUpperCase()} `)).toEqual([page]);
      expect(await hrefs(member, id)).toEqual(isSale ? [] : [page]);
      expect(await hrefs(stranger, id)).toEqual([]);
    }
  });

  test('says what was looked at when there is no match, and what can be typed when blank', async () => {
    const dashboard = await openDashboard();
    const owner = await dashboard.signIn('owner');
    const none = (await owner.get('/dashboard/search?q=%3Cb%3Ezz')).body;
    expect(none).not.toContain('<b>');
    expect(decodeHtml(none)).toContain('Nothing for “<b>zz”');
    expect(none).toContain('We looked at buyers, orders, products, SKUs and pages');
    expect(none).toContain('>Clear search</a>');
    for (const q of ['', '%20', '%23']) {
      expect((await owner.get(`/dashboard/search?q=${q}`)).body).toContain('an order such as #1252');
    }
    expect((await owner.get(`/dashboard/search?q=${'a'.repeat(5000)}`)).statusCode).toBe(200);
  });

  test('finds an order that failed by the start of its buyer’s address, and leads to the log otherwise', async () => {
    const dashboard = await openDashboard();
    await deliverOrder(dashboard, {
      ...{ orderId: '771', orderNumber: '#771', lines: [makeLine('NOBODY-KNOWS')] },
      customer: { name: 'Dora Voss', email: 'dora@example.com' },
    });
    const owner = await dashboard.signIn('owner');
    expect((await owner.get('/dashboard/search?q=dora')).body).toContain('#771');
    const none = (await owner.get('/dashboard/search?q=voss')).body;
    expect(none).not.toContain('#771');
    const [, href = ''] = /href="([^"]+)"[^>]*>Search the webhook log</.exec(none) ?? [];
    expect(decodeHtml(href)).toBe('/dashboard/webhook-log?q=voss');
    const member = await dashboard.signIn('member');
    const shown = (await member.get('/dashboard/search?q=dora')).body;
    expect([shown.includes('#771'), shown.includes('webhook log')]).toEqual([false, false]);
  });

  test('shows members downloads and products, and no sales nor pages that they may not open', async () => {
    const dashboard = await openDashboard();
    const { purchaseId, linkId } = await deliverOrder(dashboard);
    const session = await downloadPads(dashboard, linkId);
    const record = await dashboard.ports.purchases.show(dashboard.shop.orgId, purchaseId);
    const member = await dashboard.signIn('member');
    const found = await search(member, record?.customerName ?? '');
    expect(found.map(([href]) => href)).toEqual([`/dashboard/downloads/${session}`]);
    expect((await search(member, 'pads')).map(([href]) => href)).toEqual([
      `/dashboard/products/${dashboard.shop.product.id}`,
      `/dashboard/downloads/${session}`,
    ]);
    expect(await search(member, record?.orderNumber ?? '')).toEqual([]);
    for (const text of ['purchases', 'currency', 'record a sale'])
      expect(await search(member, text)).toEqual([]);
    expect((await member.get('/dashboard/search')).body).not.toContain('an order such as');
  });

  test('finds nothing of another organisation', async ({ dashboard }) => {
    const { purchaseId } = await deliverOrder(dashboard);
    const record = await dashboard.ports.purchases.show(dashboard.shop.orgId, purchaseId);
    const other = await openShop({ ...dashboard.ports, stores: dashboard.stores }, 'Other');
    const stranger = await dashboard.signIn('owner', other.orgId);
    expect(await search(stranger, record?.orderNumber ?? '')).toEqual([]);
    expect(await search(stranger, record?.customerName ?? '')).toEqual([]);
  });

  test('leads to the whole list where more may be found', async ({ dashboard }) => {
    for (let at = 0; at < 5; at += 1)
      await deliverOrder(dashboard, { orderId: `77${at}`, orderNumber: `#77${at}` });
    const owner = await dashboard.signIn('owner');
    const { body } = await owner.get('/dashboard/search?q=77');
    expect(decodeHtml(body)).toContain('href="/dashboard/purchases?q=77"');
  });

  test('answers the dialog with the results alone, and what screen readers say', async ({ owner }) => {
    const { body } = await owner.get('/dashboard/search/results?q=pads');
    expect(body).toMatch(/^<div data-for="pads">/);
    expect(body).toContain('<p hx-swap-oob="innerHTML:#search-status">1 result</p>');
    expect(body).not.toContain('<html');
  });

  test('has its link on every page, but not for who belongs to no organisation', async ({ dashboard }) => {
    const owner = await dashboard.signIn('owner');
    expect((await owner.get('/dashboard/products')).body).toContain(
      'href="/dashboard/search" data-open-search',
    );
    const nobody = await dashboard.signIn(null);
    expect((await nobody.get('/dashboard/settings/security')).body).not.toContain('data-open-search');
  });
});

describe('pages that a search names', () => {
  const pages = [
    { path: '/settings/organisation', words: 'Organisation', icon: '', group: 'settings', access: 'admin' },
    { path: '/settings/security', words: 'Security', icon: '', group: 'settings', access: 'signed-in' },
  ] as unknown as Parameters<typeof findPages>[0];

  const platforms = createPlatforms();

  test('come before those that have another word for it', () => {
    expect(findPages(pages, platforms, 'language').map(({ words }) => words)).toEqual(['Language of buyers']);
    expect(findPages(pages, platforms, 'TIME zone').map(({ words }) => words)).toEqual([
      'Language of buyers',
    ]);
    expect(findPages(pages, platforms, 'sec').map(({ words }) => words)).toEqual(['Security']);
    expect(findPages(pages, platforms, 'o')[0]).toEqual({
      href: '/dashboard/settings/organisation',
      words: 'Organisation',
      within: null,
    });
    expect(findPages(pages, platforms, 'webhook')).toEqual([]);
  });

  test('are found by the names of all vendors that share a platform', () => {
    const integrations = [
      { ...pages[0], path: '/settings/integrations', words: 'Integrations' },
    ] as typeof pages;
    for (const vendor of ['samcart', 'ThriveCart', 'ultra'])
      expect(findPages(integrations, platforms, vendor)).toMatchObject([{ words: 'SamCart' }]);
  });

  test('are found by “csv” wherever a page has one to download', () => {
    const lists = ['/purchases', '/reports', '/settings/activity'].map((path) => ({ ...pages[0], path }));
    expect(findPages(lists as typeof pages, platforms, 'csv').map(({ words }) => words)).toEqual([
      'Purchases as CSV',
      'Activity as CSV',
      'Downloads report',
      'Sales report',
    ]);
  });

  test('are found by what a buyer calls for: a refund, and access that ended', async ({ owner }) => {
    for (const [text, href] of [
      ['money back', '/dashboard/purchases?status=refunded'],
      ['revoked', '/dashboard/purchases?status=revoked'],
    ] as const) {
      expect((await search(owner, text)).map(([found]) => found)).toContain(href);
      expect((await owner.get(href)).statusCode).toBe(200);
    }
  });

  test('do not answer a text without letters and digits', () => {
    expect(findPages(pages, platforms, '#')).toEqual([]);
  });
});

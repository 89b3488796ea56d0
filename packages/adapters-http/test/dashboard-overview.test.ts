import { createOrganisation, setSubscription } from '@handover/domain';
import { makeLine } from '@handover/testkit';
import { describe, expect } from 'vitest';
import { connectSecondShop } from './connect-second-shop.ts';
import { deliver, fillOverview } from './fill-overview.ts';
import { decodeHtml, type openDashboard } from './open-dashboard.ts';
import { sellByHand } from './sell-purchases.ts';
import { test } from './test-in-shop.ts';

const DAY = 24 * 60 * 60 * 1000;

/** The words of the page, as a reader meets them. */
function wordsOf(body: string): string {
  const main = /<main.*<\/main>/s.exec(body)?.[0] ?? '';
  return decodeHtml(main.replace(/<[^>]+>/g, ' ')).replace(/\s+/g, ' ');
}

async function read(awaited: Awaited<ReturnType<typeof openDashboard>>): Promise<string> {
  const owner = await awaited.signIn('owner');
  return wordsOf((await owner.get('/dashboard/overview')).body);
}

describe('the overview', () => {
  test('is the start page of owners and admins; members start at the products', async ({ dashboard }) => {
    for (const role of ['owner', 'admin'] as const) {
      const signedInUser = await dashboard.signIn(role);
      expect((await signedInUser.get('/dashboard')).headers.location).toBe('/dashboard/overview');
    }
    const member = await dashboard.signIn('member');
    expect((await member.get('/dashboard')).headers.location).toBe('/dashboard/products');
  });

  test('lists the action items, most buyers first, and who waits', async ({ dashboard }) => {
    await fillOverview(dashboard);
    const words = await read(dashboard);
    expect(words).toContain('Needs you 5 things, up to 22 buyers waiting');
    const titles = [
      'WooCommerce: 12 deliveries rejected',
      '2 SKUs match no product',
      '3 orders are held for Nocturne Strings',
      'One receipt did not arrive',
      'One order was not delivered',
    ];
    const places = titles.map((title) => words.indexOf(title));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(words).toContain('TAPE-LOOPS-2 in 4 orders and BUNDLE-XMAS in 1. Nothing was delivered');
    const { body } = await (await dashboard.signIn('owner')).get('/dashboard/overview');
    expect(body).toContain('<span class="chip" data-whole><bdi>BUNDLE-XMAS</bdi></span>');
    expect(words).toContain(
      'Mira Okafor bought Pads ( mira@exmaple.com ). The mail server answered “ 550 5.1.1',
    );
    expect(words).toContain('Shopify order #2201 . The order came without an e-mail address.');
    expect(words).toContain('Upload one, then publishing delivers all three.');
  });

  test('compares today with the same weekday last week, in words', async ({ dashboard }) => {
    for (const orderId of ['1', '2', '3']) await deliver(dashboard, { orderId });
    dashboard.clock.advance(7 * DAY);
    await deliver(dashboard, { orderId: '4' });
    const words = await read(dashboard);
    expect(words).toContain('Orders today 1 2 fewer than last Monday by now');
    expect(words).toContain('Delivered 1 None held, none failed');
    expect(words).toContain('Order to receipt, median 1.4 s Slowest today 1.4 s');
  });

  test('does not say that a connection works over which nothing came yet', async ({ dashboard }) => {
    await sellByHand(dashboard, 'Jo Reed', 'jo@example.org');
    const words = await read(dashboard);
    expect(words).toContain('Set up, but nothing received yet: Shopify.');
    expect(words).not.toContain('Every connection works');
    await deliver(dashboard, { orderId: '1' }, 'refused');
    await connectSecondShop(dashboard);
    const withNeed = await read(dashboard);
    expect(withNeed).toContain('One receipt did not arrive');
    expect(withNeed).toContain('Set up, but nothing received yet: Shopify, EU shop.');
  });

  test('shows a fact when there are no action items', async ({ dashboard }) => {
    for (const orderId of ['1', '2', '3']) await deliver(dashboard, { orderId });
    dashboard.clock.advance(4 * 60 * 1000);
    expect(await read(dashboard)).toContain(
      'Nothing needs you All 3 of today’s orders are delivered Last one 4 minutes ago. Every connection works.',
    );
    dashboard.clock.advance(DAY);
    expect(await read(dashboard)).toContain('No orders yet today Every connection works.');
  });

  test('shows the first steps until all are done, each ticked once done, or until the first sale', async ({
    dashboard,
  }) => {
    const words = await read(dashboard);
    expect(words).toContain('First steps 2 of 3 done');
    expect(words).not.toContain('Needs you');
    expect(words).not.toContain('Orders today');
    await deliver(dashboard, { lines: [makeLine('nobody')] });
    const done = await read(dashboard);
    expect(done).toMatch(/One SKU matches no product.*Orders today/);
    expect(done).not.toContain('First steps');
    const { clock, shop, stores } = dashboard;
    await stores.products.change(shop.orgId, shop.product.id, { status: 'draft' }, clock.now());
    expect(await read(dashboard)).toMatch(
      /First steps 2 of 3 done.*One SKU matches no product.*Orders today/,
    );
    await stores.products.change(shop.orgId, shop.product.id, { status: 'published' }, clock.now());
    await deliver(dashboard, { orderId: '2' });
    await stores.products.change(shop.orgId, shop.product.id, { status: 'draft' }, clock.now());
    expect(await read(dashboard)).not.toContain('First steps');
    const created = await createOrganisation(dashboard.ports, { name: 'New', ownerEmail: 'new@example.com' });
    const orgId = created.kind === 'created' ? created.organisation.id : '';
    const other = await dashboard.signIn('owner', orgId);
    expect(wordsOf((await other.get('/dashboard/overview')).body)).toContain('First steps 0 of 3 done');
  });

  test('reports silent connections, and a subscription that ends', async ({ dashboard }) => {
    for (const orderId of ['1', '2', '3', '4', '5', '6']) {
      await deliver(dashboard, { orderId });
      dashboard.clock.advance(60 * 60 * 1000);
    }
    dashboard.clock.advance(3 * DAY);
    const ends = new Date(dashboard.clock.now().getTime() + 3 * DAY);
    await setSubscription(dashboard.ports, dashboard.shop.orgId, ends);
    const words = await read(dashboard);
    expect(words).toContain('Shopify, main: silent for 3 days 1 h');
    expect(words).toContain('Several times longer than usual');
    expect(words).toContain('The subscription ends on 8 March');
  });

  test('shows names with HTML as text', async ({ dashboard }) => {
    const customer = { email: 'eve@example.com', name: '<img src=x onerror=alert(1)>' };
    await deliver(dashboard, { orderId: '1', customer }, 'refused');
    await deliver(dashboard, { orderId: '2', lines: [makeLine('<b>bold</b>')] });
    const owner = await dashboard.signIn('owner');
    const { body } = await owner.get('/dashboard/overview');
    expect(body).not.toContain('<img src=x');
    expect(body).not.toContain('<b>bold');
    expect(wordsOf(body)).toContain('<img src=x onerror=alert(1)>');
  });

  test('covers one organisation only', async ({ dashboard }) => {
    await fillOverview(dashboard);
    const created = await createOrganisation(dashboard.ports, { name: 'New', ownerEmail: 'new@example.com' });
    const other = await dashboard.signIn('owner', created.kind === 'created' ? created.organisation.id : '');
    const { body } = await other.get('/dashboard/overview');
    for (const word of ['Mira', 'TAPE-LOOPS', 'Nocturne', 'WooCommerce']) expect(body).not.toContain(word);
  });
});

test('shows the number of unmatched SKUs in the sidebar, and nothing for zero', async ({ dashboard }) => {
  const owner = await dashboard.signIn('owner');
  const countOf = async () =>
    /<span class="count">(\d+)/.exec((await owner.get('/dashboard/overview')).body)?.[1] ?? null;
  expect(await countOf()).toBe(null);
  await deliver(dashboard, { lines: [makeLine('one'), makeLine('two')] });
  expect(await countOf()).toBe('2');
});

import { ALL_PURCHASES, correctAddress, fulfilOrder, mapSku, revokePurchase } from '@handover/domain';
import { BY_JANA, makeLine, makeOrder, openShop, publishProduct } from '@handover/testkit';
import { describe, expect } from 'vitest';
import { decodeHtml, openDashboard } from './open-dashboard.ts';
import { listSales, titlesOf } from './purchase-page.ts';
import { completeReceipt, deliverOrder, download, sellByHand } from './sell-purchases.ts';
import { test } from './test-in-shop.ts';

const HOSTILE = '<img src=x onerror=alert(1)>"\'&';

describe('the list of purchases', () => {
  test('searches by name, filters by source and receipt, and explains an empty result', async () => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
    const { receiptId } = await deliverOrder(dashboard);
    await sellByHand(dashboard, 'Jo Reed', 'jo@example.org');
    expect((await admin.get('/dashboard/purchases')).body).toMatch(/Jo Reed[\s\S]*#1001/);
    expect((await admin.get('/dashboard/purchases?q=jo')).body).not.toContain('Ana Lima');
    expect((await admin.get('/dashboard/purchases?source=storefront-a')).body).not.toContain('Jo Reed');
    expect((await admin.get('/dashboard/purchases?receipt=refused')).body).toContain('No such purchases');
    for (const word of ['pending', 'owed']) {
      expect((await admin.get(`/dashboard/purchases?receipt=${word}`)).body).toContain('#1001');
    }
    await completeReceipt(dashboard, receiptId, 'refused', '550 no such mailbox');
    expect((await admin.get('/dashboard/purchases?receipt=refused')).body).toContain('#1001');
    const { body } = await admin.get('/dashboard/purchases?q=ana.lma%40');
    expect(body).toContain('Nothing for “ana.lma@”');
    expect(body).toContain(
      'We looked at names, addresses, order numbers and SKUs of all 2 purchases, by how their words begin',
    );
    // What was not delivered is not a purchase, but is found there.
    expect(body).toContain('href="/dashboard/search?q&#61;ana.lma%40"');
    expect(body).toContain('href="/dashboard/webhook-log?q&#61;ana.lma%40"');
  });

  test('shows only what is revoked, in the address and in the CSV', async ({ dashboard, admin }) => {
    const { purchaseId } = await deliverOrder(dashboard);
    await sellByHand(dashboard, 'Jo Reed', 'jo@example.org');
    const revoked = (page = 'purchases') => admin.get(`/dashboard/${page}?status=revoked`);
    expect((await revoked()).body).toContain('filtered by: revoked');
    await revokePurchase(dashboard.ports, dashboard.shop.orgId, purchaseId, BY_JANA);
    const { body } = await revoked();
    expect([body.includes('#1001'), body.includes('Jo Reed')]).toEqual([true, false]);
    expect(body).toContain('<option value="revoked" selected>Revoked</option>');
    expect(body).toContain('href="/dashboard/purchases.csv?status&#61;revoked"');
    const csv = await revoked('purchases.csv');
    expect([csv.body.includes('#1001'), csv.body.includes('Jo Reed')]).toEqual([true, false]);
  });

  test('says how many purchases match, and on a narrowed list of several pages that there are more', async () => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
    const count = async (query: string) => {
      const { body } = await admin.get(`/dashboard/purchases${query}`);
      return /<strong>([^<]* purchases?[^<]*\.)<\/strong>/.exec(body)?.[1];
    };
    await sellByHand(dashboard, 'Jo Reed', 'jo@example.org');
    for (let number = 1; number <= 51; number += 1) await deliverOrder(dashboard, { orderId: `${number}` });
    expect(await count('')).toBe('52 purchases.');
    expect(await count('?q=jo')).toBe('1 purchase matches.');
    expect(await count('?source=storefront-a')).toBe('More than 50 purchases match.');
    const [newest] = await listSales(dashboard);
    expect(await count(`?before=${newest?.id}`)).toBeUndefined();
    dashboard.ports.purchases.countMatching = async () => 1001;
    expect(await count('')).toBe('More than 1,000 purchases.');
  });

  test('continues where the previous page ended, and can show one buyer', async ({ dashboard, admin }) => {
    for (let number = 1; number <= 52; number += 1) {
      dashboard.clock.advance(1000);
      await deliverOrder(dashboard, { orderId: `${number}`, orderNumber: `N-${number}-` });
    }
    await sellByHand(dashboard, 'Jo Reed', 'jo@example.org');
    const buyer = (await listSales(dashboard)).find(
      ({ customerName }) => customerName === 'Ana Lima',
    )?.customerId;
    const first = await admin.get(`/dashboard/purchases?customer=${buyer}`);
    expect(first.body).toContain('N-52-');
    expect(first.body).not.toContain('Jo Reed');
    const [, older = ''] = /rel="next" href="([^"]+)"/.exec(first.body) ?? [];
    const second = await admin.get(decodeHtml(older));
    expect(second.body).toContain('N-2-');
    expect(second.body).not.toContain('N-3-');
    expect(second.body).not.toContain('rel="next"');
    expect((await admin.get('/dashboard/purchases?before=junk&product=junk')).statusCode).toBe(200);
  });

  test('leads from an address that was corrected to whom its purchases belong now', async ({ dashboard }) => {
    const { ports, stores, shop } = dashboard;
    const wrong = { name: 'Ana Lima', email: 'ana@exmaple.com' };
    const { purchaseId } = await deliverOrder(dashboard, { customer: wrong });
    const customer = await stores.customers.findByEmail(shop.orgId, wrong.email);
    const owner = await dashboard.signIn('owner');
    const places = [`customer=${customer?.id}`, 'q=Ana%40Exmaple.com'];
    const reads = async (place: string, who = owner) => (await who.get(`/dashboard/purchases?${place}`)).body;
    for (const place of places) expect(await reads(place)).not.toContain('Belongs to');
    const change = { by: BY_JANA, seen: wrong.email };
    const corrected = await correctAddress(ports, shop.orgId, purchaseId, 'ana@example.com', change);
    expect(corrected.kind).toBe('corrected');
    const other = await openShop({ ...ports, stores }, 'Other');
    const stranger = await dashboard.signIn('owner', other.orgId);
    for (const place of places) {
      const body = await reads(place);
      expect(body).toContain('the address was corrected');
      expect(body).toContain(`href="/dashboard/purchases/${purchaseId}"`);
      expect(decodeHtml(body.replace(/<[^>]*>/g, ''))).toContain('ana@example.com');
      // Other filters were what found nothing.
      expect(await reads(`${place}&source=dashboard`)).not.toContain('Belongs to');
      expect(await reads(place, stranger)).not.toContain(purchaseId);
    }
  });

  test('marks a manually recorded sale once', async ({ dashboard, admin }) => {
    const purchaseId = await sellByHand(dashboard, 'Jo Reed', 'jo@example.org');
    const list = (await admin.get('/dashboard/purchases')).body;
    expect(list.match(/by hand/gi)).toHaveLength(1);
    const page = (await admin.get(`/dashboard/purchases/${purchaseId}`)).body;
    expect(page.match(/by hand/gi)).toHaveLength(1);
  });

  test('shows an empty organisation how to begin', async ({ admin }) => {
    const { body } = await admin.get('/dashboard/purchases');
    expect(body).toContain('No purchases yet');
    expect(body).toMatch(/href="\/dashboard\/settings\/integrations"[^>]*>Connect a shop</);
  });
});

describe('the page of a purchase', () => {
  test('shows one timeline from the order to the completed download', async ({ dashboard, admin }) => {
    const { purchaseId, linkId, receiptId } = await deliverOrder(dashboard);
    dashboard.clock.advance(1400);
    await completeReceipt(dashboard, receiptId, 'sent', '250 2.0.0 OK, queued');
    dashboard.clock.advance(400_000);
    await download(dashboard, linkId, 2, false);
    dashboard.clock.advance(7_200_000);
    await download(dashboard, linkId, 5, true);
    const { body } = await admin.get(`/dashboard/purchases/${purchaseId}`);
    expect(titlesOf(body)).toEqual([
      'Order received',
      'Signature verified',
      'Matched',
      'Purchase recorded',
      'Receipt accepted',
      'Link opened',
      'Download interrupted at 40 %',
      'Download resumed',
      'Last byte sent',
      'Download completed',
    ]);
    expect(body).toContain('250 2.0.0 OK, queued');
    expect(body).not.toContain('data-waits');
    const [file] =
      (await dashboard.ports.purchases.show(dashboard.shop.orgId, purchaseId))?.version?.files ?? [];
    expect(file?.sha256).toHaveLength(64);
    expect(body).toContain(`>${file?.sha256}</span>`);
    const [, ofDownload = ''] = /href="([^"]*)">See this download</.exec(body) ?? [];
    expect((await admin.get(ofDownload)).body).toContain('Download completed');
  });

  test('shows the pending step, and puts the action beside the failed one', async ({ dashboard, admin }) => {
    const { purchaseId, receiptId } = await deliverOrder(dashboard);
    const page = `/dashboard/purchases/${purchaseId}`;
    expect((await admin.get(page)).body).toContain('Queued.');
    await completeReceipt(dashboard, receiptId, 'refused', '550 5.1.1 no such mailbox');
    const { body } = await admin.get(page);
    expect(body).toContain('550 5.1.1 no such mailbox');
    expect(body).toContain(`href="${page}/address" data-variant="outline" data-size="sm"`);
  });

  test('shows whether its receipt is queued, attempted or accepted, and when', async ({ dashboard }) => {
    const admin = await dashboard.signIn('admin');
    const { purchaseId, receiptId } = await deliverOrder(dashboard);
    const receipt = async () => {
      const { body } = await admin.get(`/dashboard/purchases/${purchaseId}`);
      return (/<dt>Receipt<\/dt><dd>(.*?)<div/s.exec(body)?.[1] ?? '').replace(/<[^>]*>/g, '');
    };
    expect(await receipt()).toBe('Queued');
    await completeReceipt(dashboard, receiptId, 'sent', '250 OK');
    dashboard.clock.advance(24 * 60 * 60 * 1000);
    expect(await receipt()).toBe('Accepted yesterday');
  });

  test('says which lines of its order are not delivered, until they are', async ({ dashboard, admin }) => {
    const lines = [makeLine('PADS'), makeLine('DRUMS-9')];
    const { purchaseId, deliveryId } = await deliverOrder(dashboard, { lines });
    const page = () => admin.get(`/dashboard/purchases/${purchaseId}`);
    const { body } = await page();
    expect(body).toContain('1 line of this order is not delivered');
    expect(body).toContain('DRUMS-9 (unmatched)');
    expect(body).toContain(`href="/dashboard/webhook-log/${deliveryId}"`);
    await mapSku(dashboard.ports, dashboard.shop.orgId, { sku: 'DRUMS-9', platform: null, productId: null });
    await fulfilOrder(dashboard.ports, makeOrder(dashboard.shop, { lines }), { id: deliveryId, attempts: 1 });
    expect((await page()).body).not.toContain('not delivered');
  });

  test('leads to what else its order bought, and says that revoking leaves that alone', async () => {
    const dashboard = await openDashboard();
    await publishProduct({ ...dashboard.ports, stores: dashboard.stores }, dashboard.shop.orgId, 'Keys');
    const lines = [makeLine('PADS'), makeLine('KEYS')];
    await deliverOrder(dashboard, { lines });
    const page = { ...ALL_PURCHASES, before: null, limit: 2 };
    const bought = await dashboard.stores.purchases.search(dashboard.shop.orgId, page);
    const [pads, keys] = ['Pads', 'Keys'].map(
      (name) => `/dashboard/purchases/${bought.find(({ productName }) => productName === name)?.id}`,
    );
    const owner = await dashboard.signIn('owner');
    const read = async (page = '') => decodeHtml((await owner.get(page)).body);
    expect(await read(pads)).toMatch(new RegExp(`Also in this order</dt>.*href="${keys}"`));
    expect(await read(pads)).toContain('What else the order bought keeps working.');
    await owner.submit(keys ?? '', `${keys}/revoke`);
    expect(await read(pads)).toMatch(/Keys.*<\/a><span class="muted">Revoked/);
    expect(await read(pads)).not.toContain('What else the order bought keeps working.');
    const alone = await deliverOrder(dashboard, { orderId: '5002' });
    expect(await read(`/dashboard/purchases/${alone.purchaseId}`)).not.toContain('Also in this order');
  });

  test('asks of a common slip whether another address was meant, and offers it as the right one', async () => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
    const customer = { name: 'Ana Lima', email: 'ana@gmial.com' };
    const { purchaseId } = await deliverOrder(dashboard, { customer });
    const read = async (page = '') => (await admin.get(`/dashboard/purchases/${purchaseId}${page}`)).body;
    expect(await read()).toContain('Did you mean <strong><bdi>ana@gmail.com</bdi></strong>?');
    expect(await read('/address')).toMatch(/<input[^>]*name="email"[^>]*value="ana@gmail.com"/);
    await revokePurchase(dashboard.ports, dashboard.shop.orgId, purchaseId, BY_JANA);
    expect(await read()).not.toContain('Did you mean');
  });

  test('escapes names', async ({ dashboard, admin }) => {
    const { purchaseId } = await deliverOrder(dashboard, {
      customer: { name: HOSTILE, email: 'a@example.com' },
      lines: [makeLine('PADS'), makeLine(HOSTILE)],
    });
    for (const path of ['', '/resend', '/address']) {
      expect((await admin.get(`/dashboard/purchases/${purchaseId}${path}`)).body).not.toContain('<img src=x');
    }
    expect((await admin.get('/dashboard/purchases')).body).not.toContain('<img src=x');
  });
});

import { describe, expect, test } from 'vitest';
import { decodeHtml, hiddenFieldsOf, type OpenedDashboard, openDashboard } from './open-dashboard.ts';
import { completeReceipt, deliverOrder, download, sellByHand } from './sell-purchases.ts';

const HOSTILE = '<img src=x onerror=alert(1)>"\'&';

function titlesOf(body: string): readonly string[] {
  const list = /<ol class="timeline">([\s\S]*?)<\/ol>/.exec(body)?.[1] ?? '';
  return [...list.matchAll(/<h3>([^<]*)<\/h3>/g)].map(([, title = '']) => title);
}

async function listSales(dashboard: OpenedDashboard) {
  const all = { text: '', productId: null, customerId: null, source: null, receipt: null, before: null };
  return dashboard.ports.purchases.search(dashboard.shop.orgId, { ...all, limit: 100 });
}

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
    expect(body).toContain('We looked at names, addresses, order numbers and SKUs of all 2 purchases');
  });

  test('continues where the previous page ended, and can show one buyer', async () => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
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

  test('marks a manually recorded sale once', async () => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
    const purchaseId = await sellByHand(dashboard, 'Jo Reed', 'jo@example.org');
    const list = (await admin.get('/dashboard/purchases')).body;
    expect(list.match(/by hand/gi)).toHaveLength(1);
    const page = (await admin.get(`/dashboard/purchases/${purchaseId}`)).body;
    expect(page.match(/by hand/gi)).toHaveLength(1);
  });

  test('shows an empty organisation how to begin', async () => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
    expect((await admin.get('/dashboard/purchases')).body).toContain('No purchases yet');
  });
});

describe('the page of a purchase', () => {
  test('shows one timeline from the order to the completed download', async () => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
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
  });

  test('shows the pending step, and puts the action beside the failed one', async () => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
    const { purchaseId, receiptId } = await deliverOrder(dashboard);
    const page = `/dashboard/purchases/${purchaseId}`;
    expect((await admin.get(page)).body).toContain('Queued.');
    await completeReceipt(dashboard, receiptId, 'refused', '550 5.1.1 no such mailbox');
    const { body } = await admin.get(page);
    expect(body).toContain('550 5.1.1 no such mailbox');
    expect(body).toContain(`href="${page}/address" data-variant="outline" data-size="sm"`);
  });

  test('shows whether its receipt is queued, attempted or accepted, and when', async () => {
    const dashboard = await openDashboard();
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

  test('escapes names', async () => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
    const { purchaseId } = await deliverOrder(dashboard, {
      customer: { name: HOSTILE, email: 'a@example.com' },
    });
    for (const path of ['', '/resend', '/address']) {
      expect((await admin.get(`/dashboard/purchases/${purchaseId}${path}`)).body).not.toContain('<img src=x');
    }
    expect((await admin.get('/dashboard/purchases')).body).not.toContain('<img src=x');
  });
});

describe('the actions of a purchase', () => {
  test('resend its receipt, and log who asked', async () => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
    const { purchaseId, receiptId } = await deliverOrder(dashboard);
    await completeReceipt(dashboard, receiptId, 'sent', '250 OK');
    const page = `/dashboard/purchases/${purchaseId}`;
    const asked = await admin.get(`${page}/resend`);
    expect(asked.body).toContain('ana@example.com');
    expect((await admin.post(`${page}/resend`, hiddenFieldsOf(asked.body))).statusCode).toBe(303);
    const record = await dashboard.ports.purchases.show(dashboard.shop.orgId, purchaseId);
    const actions = record?.activity.filter(({ actor }) => actor === admin.email) ?? [];
    expect(actions.map(({ kind }) => kind)).toEqual(['receipt-resent']);
    expect(record?.links).toHaveLength(2);
  });

  test('mail one receipt, however often “Send the receipt” is pressed on one page', async () => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
    const { purchaseId, receiptId } = await deliverOrder(dashboard);
    await completeReceipt(dashboard, receiptId, 'sent', '250 OK');
    const page = `/dashboard/purchases/${purchaseId}`;
    const fields = hiddenFieldsOf((await admin.get(`${page}/resend`)).body);
    const press = () => admin.post(`${page}/resend`, fields);
    const answers = await Promise.all([press(), press()]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303]);
    const newest =
      (await dashboard.ports.purchases.show(dashboard.shop.orgId, purchaseId))?.receipt?.id ?? '';
    await press();
    expect((await admin.get(page)).body).toContain('The receipt is on its way already');
    await completeReceipt(dashboard, newest, 'sent', '250 OK');
    await press();
    expect((await admin.get(page)).body).toContain('This press mailed nothing more.');
    const record = await dashboard.ports.purchases.show(dashboard.shop.orgId, purchaseId);
    expect(record?.receipt?.id).toBe(newest);
    expect(record?.links).toHaveLength(2);
  });

  test('ask again when a form does not name its receipt', async () => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
    const { purchaseId, receiptId } = await deliverOrder(dashboard);
    await completeReceipt(dashboard, receiptId, 'sent', '250 OK');
    const page = `/dashboard/purchases/${purchaseId}`;
    const { body } = await admin.submit(page, `${page}/resend`);
    expect(body).toContain('Send the receipt');
    const record = await dashboard.ports.purchases.show(dashboard.shop.orgId, purchaseId);
    expect(record?.receipt?.id).toBe(receiptId);
  });

  test('correct its address, with the problem beside the field', async () => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
    const { purchaseId } = await deliverOrder(dashboard);
    const page = `/dashboard/purchases/${purchaseId}`;
    const wrong = await admin.submit(page, `${page}/address`, { email: 'nonsense' });
    expect([wrong.statusCode, wrong.body.includes('value="nonsense"')]).toEqual([400, true]);
    expect(wrong.body).toContain('It must be an e-mail address.');
    const right = await admin.submit(page, `${page}/address`, { email: 'ana.lima@example.com' });
    expect(right.headers.location).toBe(page);
    const { body } = await admin.get(page);
    expect(body).toContain('ana.lima@example.com');
    expect(body).toContain('A new link is on its way to ana.lima@example.com.');
    expect(titlesOf(body)).toContain('Address corrected');
  });

  test('revoke it, mail nothing while it is revoked, and restore it', async () => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
    const { purchaseId, linkId } = await deliverOrder(dashboard);
    const page = `/dashboard/purchases/${purchaseId}`;
    const buyersPage = new URL(dashboard.ports.tokens.url(dashboard.shop.orgId, linkId)).pathname;
    await admin.submit(page, `${page}/revoke`);
    expect((await dashboard.signedInUser().get(buyersPage)).statusCode).toBe(410);
    expect((await dashboard.signedInUser().post(`${buyersPage}/new`)).statusCode).not.toBe(200);
    const { body } = await admin.get(`${page}/resend`);
    const refused = await admin.post(`${page}/resend`, hiddenFieldsOf(body));
    expect([refused.statusCode, refused.body.includes('Restore it first')]).toEqual([409, true]);
    await admin.submit(page, `${page}/restore`);
    expect((await dashboard.signedInUser().get(buyersPage)).statusCode).toBe(200);
    expect(titlesOf((await admin.get(page)).body)).toEqual(
      expect.arrayContaining(['Revoked', 'Restored', 'Link opened']),
    );
  });
});

describe('a sale recorded at the dashboard', () => {
  const form = {
    email: 'jo@example.org',
    name: 'Jo Reed',
    amount: '49.00',
    currency: 'EUR',
    paymentMethod: 'bank transfer',
    sendEmail: 'yes',
    key: 'one',
  };

  test('is recorded once, however often it is submitted, for a new buyer and an existing one', async () => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
    const at = '/dashboard/purchases/record';
    const press = (more: Record<string, string>) =>
      admin.submit(at, at, { ...form, productId: dashboard.shop.product.id, ...more });
    const first = await press({});
    expect(first.headers.location).toBe((await press({})).headers.location);
    expect(await listSales(dashboard)).toHaveLength(1);
    for (const name of ['Somebody', '']) {
      const known = await press({ key: `known ${name}`, name });
      expect(known.headers.location).toBe((await press({ key: `known ${name}`, name })).headers.location);
      expect((await admin.get(String(known.headers.location))).body).toContain(
        'Jo Reed was on record already',
      );
    }
    const sales = await listSales(dashboard);
    expect(new Set(sales.map(({ customerId }) => customerId)).size).toBe(1);
    expect(sales).toHaveLength(3);
    const record = await dashboard.ports.purchases.show(dashboard.shop.orgId, sales[0]?.id ?? '');
    expect(record).toMatchObject({ source: 'dashboard', activity: [{ actor: admin.email }] });
  });

  test('shows problems beside their fields, and keeps the typed values', async () => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
    const at = '/dashboard/purchases/record';
    const wrong = async (more: Record<string, string>) => {
      const answer = await admin.submit(at, at, { ...form, productId: dashboard.shop.product.id, ...more });
      expect([answer.statusCode, answer.body.includes('value="bank transfer"')]).toEqual([400, true]);
      return /aria-invalid="true"/.test(answer.body)
        ? (/id="(\w+)"[^>]*aria-invalid="true"/.exec(answer.body)?.[1] ?? '')
        : '';
    };
    for (const amount of ['1,250', '4,9,0', '49,']) expect(await wrong({ amount })).toBe('amount');
    expect(await wrong({ currency: 'XYZ' })).toBe('currency');
    expect(await wrong({ email: 'nonsense' })).toBe('email');
    expect(await wrong({ name: '' })).toBe('name');
    expect(await wrong({ productId: 'nonsense' })).toBe('productId');
    expect(await listSales(dashboard)).toEqual([]);
  });

  test.each([
    ['49,00', '49.00'],
    [' 49,5 ', '49.50'],
    ['49', '49.00'],
  ])('accepts the amount %j, with a point or a comma', async (amount, kept) => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
    const at = '/dashboard/purchases/record';
    const answer = await admin.submit(at, at, { ...form, productId: dashboard.shop.product.id, amount });
    expect(answer.statusCode).toBe(303);
    expect(await listSales(dashboard)).toMatchObject([{ amount: kept }]);
  });

  test('asks again when its page has already recorded another sale', async () => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
    const at = '/dashboard/purchases/record';
    const fields = { ...form, productId: dashboard.shop.product.id };
    await admin.submit(at, at, fields);
    const other = await admin.submit(at, at, { ...fields, amount: '12.00' });
    expect([other.statusCode, other.body.includes('recorded from this page already')]).toEqual([400, true]);
    expect(other.body).not.toContain('name="key" value="one"');
  });
});

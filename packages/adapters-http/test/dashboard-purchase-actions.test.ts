import { createProduct, revokePurchase } from '@handover/domain';
import { BY_JANA } from '@handover/testkit';
import { describe, expect, test } from 'vitest';
import { decodeHtml, hiddenFieldsOf, openDashboard } from './open-dashboard.ts';
import { listSales, titlesOf } from './purchase-page.ts';
import { completeReceipt, deliverOrder } from './sell-purchases.ts';

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

  test('replace the links that were mailed before, and their holders are told so', async () => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
    const { purchaseId, receiptId, linkId } = await deliverOrder(dashboard);
    await completeReceipt(dashboard, receiptId, 'sent', '250 OK');
    const { orgId } = dashboard.shop;
    const page = `/dashboard/purchases/${purchaseId}`;
    const shown = (await admin.get(page)).body;
    const [, href = ''] = /href="([^"]*resend[^"]*)"[^>]*>Replace</.exec(shown) ?? [];
    const asked = await admin.get(decodeHtml(href));
    expect(asked.body).toMatch(/name="replace" value="yes" checked/);
    expect((await admin.get(`${page}/resend`)).body).not.toMatch(/name="replace" value="yes" checked/);
    const fields = { ...hiddenFieldsOf(asked.body), replace: 'yes' };
    expect((await admin.post(`${page}/resend`, fields)).statusCode).toBe(303);
    const replaced = (await admin.get(page)).body;
    expect(replaced).toContain('The links mailed before have stopped working.');
    expect(replaced.replace(/<[^>]*>/g, ' ')).toMatch(/1 earlier link\s+Made .*Revoked\s+Not opened yet/);
    const former = await admin.get(new URL(dashboard.ports.tokens.url(orgId, linkId)).pathname);
    expect([former.statusCode, former.body.includes('href="/my"')]).toEqual([410, true]);
    await admin.post(`${page}/resend`, fields);
    expect((await admin.get(page)).body).toContain('It stopped no links');
    expect((await dashboard.ports.purchases.show(orgId, purchaseId))?.links).toHaveLength(2);
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
    const seen = 'ana@example.com';
    const wrong = await admin.submit(page, `${page}/address`, { email: 'nonsense', seen });
    expect([wrong.statusCode, wrong.body.includes('value="nonsense"')]).toEqual([400, true]);
    expect(wrong.body).toContain('It must be an e-mail address.');
    const right = await admin.submit(page, `${page}/address`, { email: 'ana.lima@example.com', seen });
    expect(right.headers.location).toBe(page);
    const { body } = await admin.get(page);
    expect(body).toContain('ana.lima@example.com');
    expect(body).toContain('A new link is on its way to ana.lima@example.com.');
    expect(titlesOf(body)).toContain('Address corrected');
  });

  test('correct its address once where two people have the page open', async () => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
    const { purchaseId } = await deliverOrder(dashboard);
    const page = `/dashboard/purchases/${purchaseId}`;
    const seenByBoth = hiddenFieldsOf((await admin.get(`${page}/address`)).body);
    await admin.post(`${page}/address`, { ...seenByBoth, email: 'ana.lima@example.com' });
    const late = await admin.post(`${page}/address`, { ...seenByBoth, email: 'anna@example.com' });
    expect(late.statusCode).toBe(409);
    expect(late.body).toContain('Somebody corrected the address to ana.lima@example.com');
    expect(late.body).toContain('value="anna@example.com"');
    const record = await dashboard.ports.purchases.show(dashboard.shop.orgId, purchaseId);
    expect(record?.customerEmail).toBe('ana.lima@example.com');
    const again = await admin.post(`${page}/address`, {
      ...hiddenFieldsOf(late.body),
      email: 'anna@example.com',
    });
    expect(again.headers.location).toBe(page);
  });

  test('keep in the timeline that an earlier receipt was accepted', async () => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
    const { purchaseId, receiptId } = await deliverOrder(dashboard);
    await completeReceipt(dashboard, receiptId, 'sent', '250 queued as 4bX1');
    const page = `/dashboard/purchases/${purchaseId}`;
    await admin.post(`${page}/resend`, hiddenFieldsOf((await admin.get(`${page}/resend`)).body));
    expect((await admin.get(page)).body).toContain('The one before was accepted: “250 queued as 4bX1”.');
  });

  test('revoke it, mail nothing while it is revoked, and restore it', async () => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
    const { purchaseId, linkId } = await deliverOrder(dashboard);
    const page = `/dashboard/purchases/${purchaseId}`;
    const buyersPage = new URL(dashboard.ports.tokens.url(dashboard.shop.orgId, linkId)).pathname;
    const shown = async () => decodeHtml((await admin.get(page)).body).replace(/<[^>]+>/g, '');
    expect(await shown()).toContain('Revoke Ana Lima’s purchase');
    await admin.submit(page, `${page}/revoke`);
    expect(await shown()).toContain('Restore Ana Lima’s purchase');
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
      const typed = { key: `known ${name}`, name };
      const { besides = '' } = hiddenFieldsOf((await press(typed)).body);
      const known = await press({ ...typed, besides });
      expect(known.headers.location).toBe((await press({ ...typed, besides })).headers.location);
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

  test('is asked about if the buyer has the product already, and recorded once it is meant', async () => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
    const at = '/dashboard/purchases/record';
    await deliverOrder(dashboard, { customer: { name: 'Jo Reed', email: 'JO@example.org' } });
    const typed = { ...form, productId: dashboard.shop.product.id };
    const opened = hiddenFieldsOf((await admin.get(at)).body);
    const asked = await admin.post(at, { ...opened, ...typed });
    const words = decodeHtml(asked.body);
    expect(words).toContain('This buyer has Pads already');
    expect(words).toContain('Bought on 2 March 2026 for 49.00 EUR, order #1001.');
    expect(await listSales(dashboard)).toHaveLength(1);
    const wrong = await admin.post(at, { ...hiddenFieldsOf(asked.body), ...typed, amount: 'much' });
    expect(wrong.statusCode).toBe(400);
    const sure = { ...hiddenFieldsOf(wrong.body), ...typed };
    expect((await admin.post(at, sure)).statusCode).toBe(303);
    dashboard.clock.advance(1000);
    expect((await admin.post(at, sure)).statusCode).toBe(303);
    expect(await listSales(dashboard)).toHaveLength(2);
  });

  test('is asked about, too, behind more purchases that are revoked than a page holds', async () => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
    const at = '/dashboard/purchases/record';
    const customer = { name: 'Jo Reed', email: 'jo@example.org' };
    await deliverOrder(dashboard, { customer, orderId: 'first' });
    for (let number = 0; number < 201; number += 1) {
      const { purchaseId } = await deliverOrder(dashboard, { customer, orderId: `${number}` });
      await revokePurchase(dashboard.ports, dashboard.shop.orgId, purchaseId, BY_JANA);
    }
    const typed = { ...form, productId: dashboard.shop.product.id };
    const asked = await admin.submit(at, at, typed);
    expect([asked.statusCode, asked.body.includes('has Pads already')]).toEqual([200, true]);
  });

  test('is asked about, too, if somebody else sold it to the buyer since the form was opened', async () => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
    const at = '/dashboard/purchases/record';
    const typed = { ...form, productId: dashboard.shop.product.id };
    const [one, two] = [
      hiddenFieldsOf((await admin.get(at)).body),
      hiddenFieldsOf((await admin.get(at)).body),
    ];
    expect((await admin.post(at, { ...typed, ...one })).statusCode).toBe(303);
    const asked = await admin.post(at, { ...typed, ...two });
    expect([asked.statusCode, asked.body.includes('has Pads already')]).toEqual([200, true]);
    expect(await listSales(dashboard)).toHaveLength(1);
  });

  test('is shown, listed and found by its invoice number, if it has one', async () => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
    const at = '/dashboard/purchases/record';
    const more = { productId: dashboard.shop.product.id, orderNumber: 'R-2026-117' };
    const { headers } = await admin.submit(at, at, { ...form, ...more });
    expect((await admin.get(String(headers.location))).body).toContain('R-2026-117');
    expect((await admin.get('/dashboard/purchases?q=r-2026')).body).toContain('R-2026-117, Pads');
    expect((await admin.get('/dashboard/purchases.csv')).body).toContain(',R-2026-117,');
    const { body } = await admin.submit(at, at, { ...form, ...more, orderNumber: 'R'.repeat(201) });
    expect(body).toContain('It must be at most 200 characters');
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

  test('shows all problems at once, and the first field has the focus', async () => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
    await createProduct(dashboard.ports, dashboard.shop.orgId, { name: 'Tape Loops', slug: 'tape' });
    const at = '/dashboard/purchases/record';
    const press = async (typed: Record<string, string>) => {
      const { body } = await admin.submit(at, at, { ...form, ...typed });
      return [...body.matchAll(/id="(\w+)"[^>]*aria-invalid="true" autofocus/g)].map(([, id]) => id);
    };
    const wrong = { productId: '', amount: 'x', currency: 'XYZ', paymentMethod: '' };
    expect(await press({ ...wrong, name: '' })).toEqual([
      ...['name', 'productId', 'amount', 'currency', 'paymentMethod'],
    ]);
    // A returning buyer whose address has a slip needs no name.
    expect(await press({ ...wrong, name: '', email: 'x' })).not.toContain('name');
    expect(await press({ ...wrong, name: '\u202e', email: 'x' })).toContain('name');
    expect(await listSales(dashboard)).toEqual([]);
  });

  test('asks which of several products is sold', async () => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
    const at = '/dashboard/purchases/record';
    expect((await admin.get(at)).body).not.toContain('Choose a product');
    await createProduct(dashboard.ports, dashboard.shop.orgId, { name: 'Tape Loops', slug: 'tape' });
    expect((await admin.get(at)).body).toContain('<option value="" selected>Choose a product</option>');
    const answer = await admin.submit(at, at, { ...form, productId: '' });
    expect([answer.statusCode, answer.body.includes('Choose a product.')]).toEqual([400, true]);
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

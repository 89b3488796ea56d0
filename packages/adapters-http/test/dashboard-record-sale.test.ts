import { createProduct, revokePurchase } from '@handover/domain';
import { BY_JANA } from '@handover/testkit';
import { describe, expect, test } from 'vitest';
import { decodeHtml, hiddenFieldsOf, openDashboard } from './open-dashboard.ts';
import { listSales } from './purchase-page.ts';
import { deliverOrder } from './sell-purchases.ts';

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

import { createProduct, createVersion } from '@handover/domain';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { formatMoney } from '../src/dashboard/parts/money.ts';
import { readDecimalComma } from '../src/dashboard/purchases/sale-routes.ts';
import { decodeHtml, hiddenFieldsOf, openDashboard } from './open-dashboard.ts';
import { sellByHand } from './sell-purchases.ts';
import { test } from './test-in-shop.ts';

const LIST = '/dashboard/purchases';

describe('a recorded sale', () => {
  test('of a product without files says what happens, and is recorded once that is confirmed', async () => {
    const dashboard = await openDashboard();
    const owner = await dashboard.signIn('owner');
    const added = await createProduct(dashboard.ports, dashboard.shop.orgId, { name: 'Keys', slug: 'keys' });
    const productId = added.kind === 'created' ? added.product.id : '';
    const page = `${LIST}/record`;
    const { key = '' } = hiddenFieldsOf((await owner.get(page)).body);
    const sale = {
      key,
      email: 'a@b.test',
      name: 'A',
      productId,
      amount: '49,00',
      currency: 'EUR',
      paymentMethod: 'cash',
    };
    const asked = await owner.submit(page, page, sale);
    expect([asked.statusCode, decodeHtml(asked.body).includes('Keys has no files yet')]).toEqual([200, true]);
    expect(await dashboard.stores.purchases.count(dashboard.shop.orgId)).toBe(0);
    const { sure = '' } = hiddenFieldsOf(asked.body);
    const another = await owner.submit(page, page, { ...sale, sure: dashboard.shop.product.id });
    expect(another.statusCode).toBe(200);
    await owner.submit(page, page, { ...sale, sure });
    expect(await dashboard.stores.purchases.count(dashboard.shop.orgId)).toBe(1);
  });

  test('of a product whose version has files, but is not live, says so and names the way to make it live', async () => {
    const dashboard = await openDashboard();
    const { ports, stores, shop } = dashboard;
    const owner = await dashboard.signIn('owner');
    const added = await createProduct(ports, shop.orgId, { name: 'Keys', slug: 'keys' });
    const productId = added.kind === 'created' ? added.product.id : '';
    const made = await createVersion(ports, shop.orgId, productId, '1.0');
    const versionId = made.kind === 'created' ? made.version.id : '';
    const sha256 = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';
    await stores.products.putFile(shop.orgId, versionId, { name: 'keys.zip', size: 5, sha256 });
    const page = `${LIST}/record`;
    const form = (await owner.get(page)).body;
    expect([form.includes('Keys (no live version)'), form.includes('no files yet')]).toEqual([true, false]);
    const { key = '' } = hiddenFieldsOf(form);
    const sale = { key, email: 'a@b.test', name: 'A', productId, amount: '49', currency: 'EUR' };
    const asked = decodeHtml((await owner.submit(page, page, { ...sale, paymentMethod: 'cash' })).body);
    expect(asked).toContain('Version 1.0 of Keys is not live yet');
    expect(asked).toContain('It has 1 file, but');
    expect(asked).toContain(`href="/dashboard/products/${productId}" target="_blank"`);
    expect(asked).not.toContain('no files yet');
  });

  test('of a product with files is recorded at once', async ({ dashboard }) => {
    await sellByHand(dashboard, 'Jo', 'jo@example.org');
    expect(await dashboard.stores.purchases.count(dashboard.shop.orgId)).toBe(1);
  });

  test.each([
    ['49,00', '49.00'],
    ['49.00', '49.00'],
    ['1.234,50', '1234.50'],
    ['1,234.50', '1234.50'],
    ['12.345.678,9', '12345678.9'],
    ['1,250', '1.250'],
    ['1.2.3,4', '1.2.3,4'],
    ['49,', '49,'],
  ])('takes the amount %s as %s', (typed, amount) => {
    expect(readDecimalComma(` ${typed} `)).toBe(amount);
  });
});

describe('an amount', () => {
  const wholes = fc.integer({ min: 0, max: 10 ** 12 });
  const cents = fc.integer({ min: 0, max: 99 }).map((count) => String(count).padStart(2, '0'));

  test('means the same with a comma or a point, grouped or not', () => {
    fc.assert(
      fc.property(wholes, cents, (whole, fraction) => {
        for (const [group, point] of [
          ['', '.'],
          ['', ','],
          ['.', ','],
          [',', '.'],
        ] as const) {
          const grouped = String(whole).replace(/\B(?=(\d{3})+$)/g, group);
          expect(readDecimalComma(`${grouped}${point}${fraction}`)).toBe(`${whole}.${fraction}`);
        }
      }),
    );
  });

  test('that a page shows is read back as it is', () => {
    fc.assert(
      fc.property(wholes, cents, (whole, fraction) => {
        const [figure = ''] = formatMoney(`${whole}.${fraction}`, 'EUR').split(' ');
        expect(readDecimalComma(figure)).toBe(`${whole}.${fraction}`);
      }),
    );
  });

  test('of any other text is left to be refused, and never becomes a number', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const read = readDecimalComma(text);
        if (/^\d+(\.\d+)?$/.test(read)) expect(text.trim()).toMatch(/^[\d.,]+$/);
        else expect(read).toBe(text.trim());
      }),
    );
  });
});

import { createOrganisation } from '@handover/domain';
import { describe, expect, test } from 'vitest';
import { openTestShop } from './open-test-shop.ts';
import { asUrlencoded, encodings, listSales, namedFields, post, saleFields, sendSale } from './send-form.ts';

describe('POST /api/purchases', () => {
  test.each(encodings)('records customer, sale and link from a form that is %s', async (_name, encode) => {
    const it = await openTestShop();
    const answer = await post(it, encode(saleFields(it)));
    expect(answer.statusCode).toBe(201);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.body).not.toMatch(/<html|<body|<!doctype/i);
    const [row] = await listSales(it);
    expect(row).toMatchObject({
      customerName: 'Ana Lima',
      customerEmail: 'ana@example.com',
      productId: it.shop.product.id,
      amount: '49.00',
      currency: 'EUR',
      paymentMethod: 'custom',
      source: 'api',
    });
    expect(answer.body).toContain(`data-purchase-id="${row?.id}"`);
    expect(answer.body).toContain(`data-customer-id="${row?.customerId}"`);
    expect(answer.body).toContain(`href="${it.ports.tokens.url(it.shop.orgId, row?.linkId ?? '')}"`);
    expect(await it.stores.queuedJobs()).toEqual([]);
  });

  test('takes a customer on record by id, and ignores what is said of a new one', async () => {
    const it = await openTestShop();
    await sendSale(it);
    const [first] = await listSales(it);
    const answer = await sendSale(it, { customerId: first?.customerId, 'newCustomer.email': 'junk' });
    expect(answer.statusCode).toBe(201);
    expect((await listSales(it)).map(({ customerId }) => customerId)).toEqual([
      first?.customerId,
      first?.customerId,
    ]);
  });

  test.each([
    ['true', 1],
    ['false', 0],
    ['', 0],
    [undefined, 0],
  ])('sendEmail %j queues %i mail', async (sendEmail, mails) => {
    const it = await openTestShop();
    expect((await sendSale(it, { sendEmail })).statusCode).toBe(201);
    expect(await it.stores.queuedJobs()).toHaveLength(mails);
  });

  test('400 names every missing field at once; a blank one is missing too', async () => {
    const it = await openTestShop();
    const required = ['customerId', 'productId', 'amount', 'currency', 'paymentMethod'];
    const answer = await post(it, asUrlencoded([['amount', ' ']]));
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toMatch(/^<div role="alert">/);
    expect(namedFields(answer.body)).toEqual(required);
    expect(namedFields((await post(it, {})).body)).toEqual(required);
    const ofNew = await post(it, asUrlencoded([['customerId', 'new']]));
    expect(namedFields(ofNew.body)).toEqual(['newCustomer.name', 'newCustomer.email', ...required.slice(1)]);
  });

  const wrong: readonly [string, Readonly<Record<string, string>>, string][] = [
    ['a comma in the amount', { amount: '49,00' }, 'amount'],
    ['thousands in the amount', { amount: '1,049.00' }, 'amount'],
    ['a sign in the amount', { amount: '-1.00' }, 'amount'],
    ['an exponent in the amount', { amount: '1e3' }, 'amount'],
    ['words for an amount', { amount: 'NaN' }, 'amount'],
    ['digits of other scripts', { amount: '٤٩' }, 'amount'],
    ['three digits of euros', { amount: '49.001' }, 'amount'],
    ['any digits of yen', { amount: '49.0', currency: 'JPY' }, 'amount'],
    ['four digits of Kuwaiti dinars', { amount: '49.0001', currency: 'KWD' }, 'amount'],
    ['a currency that is none', { currency: 'EURO' }, 'currency'],
    ['a currency by its sign', { currency: '€' }, 'currency'],
    ['an address that is none', { 'newCustomer.email': 'ana' }, 'newCustomer.email'],
    ['a header in the address', { 'newCustomer.email': 'a@b.c\r\nBcc: x@y.z' }, 'newCustomer.email'],
    ['two addresses', { 'newCustomer.email': 'a@b.c,d@e.f' }, 'newCustomer.email'],
    ['a header in the name', { 'newCustomer.name': 'Ana\r\nBcc: x@y.z' }, 'newCustomer.name'],
    ['a NUL in the name', { 'newCustomer.name': 'Ana\0' }, 'newCustomer.name'],
    ['an escape in the name', { 'newCustomer.name': 'Ana\u001b[0m' }, 'newCustomer.name'],
    ['a name too long', { 'newCustomer.name': 'x'.repeat(201) }, 'newCustomer.name'],
    ['a payment method too long', { paymentMethod: 'x'.repeat(201) }, 'paymentMethod'],
    ['a control character in the payment method', { paymentMethod: 'cus\x07tom' }, 'paymentMethod'],
    ['another word for sendEmail', { sendEmail: 'yes' }, 'sendEmail'],
    ['bytes that are no UTF-8', { 'newCustomer.name': 'Ana \uFFFD' }, 'newCustomer.name'],
  ];

  test.each(
    wrong.flatMap(([name, changes, field]) =>
      encodings.map(([kind, encode]) => ({ name, kind, changes, field, encode })),
    ),
  )('400 for $name, $kind, beside the name of the field', async ({ changes, field, encode }) => {
    const it = await openTestShop();
    const answer = await post(it, encode(saleFields(it, changes)));
    expect(answer.statusCode).toBe(400);
    expect(namedFields(answer.body)).toEqual([field]);
    expect(answer.body).toContain(`“${field}”`);
    expect(await listSales(it)).toEqual([]);
  });

  test.each([
    ['EUR', '49', '49.00'],
    ['eur', '49.5', '49.50'],
    ['JPY', '4900', '4900'],
    ['KWD', '4.9', '4.900'],
    ['EUR', '0', '0.00'],
    ['EUR', '999999999999999.99', '999999999999999.99'],
  ])('keeps an amount of %s exact: %s is %s', async (currency, amount, kept) => {
    const it = await openTestShop();
    expect((await sendSale(it, { currency, amount })).statusCode).toBe(201);
    expect(await listSales(it)).toMatchObject([{ amount: kept, currency: currency.toUpperCase() }]);
  });

  test('404 for a product or a customer that is unknown, malformed or of another organisation', async () => {
    const it = await openTestShop();
    const other = await createOrganisation(it.ports, { name: 'Other', ownerEmail: 'other@example.com' });
    if (other.kind !== 'created') throw new Error(other.kind);
    await sendSale(it);
    const [ours] = await listSales(it);
    for (const productId of [
      'pads',
      'x'.repeat(5000),
      '\0',
      "'; drop",
      '00000000-0000-7000-8000-000000000000',
    ]) {
      const answer = await sendSale(it, { productId, 'newCustomer.email': 'b@example.com' });
      expect(answer.statusCode, productId).toBe(404);
      expect(namedFields(answer.body)).toEqual(['productId']);
    }
    for (const customerId of ['New', 'ana@example.com', '\0']) {
      const answer = await sendSale(it, { customerId });
      expect(answer.statusCode, customerId).toBe(404);
      expect(namedFields(answer.body)).toEqual(['customerId']);
    }
    const theirs = await post(
      it,
      asUrlencoded(saleFields(it, { customerId: ours?.customerId })),
      other.apiKey,
    );
    expect(theirs.statusCode).toBe(404);
    expect(await listSales(it)).toHaveLength(1);
  });

  test('422 for a new customer whose address is on record, in any spelling, with the way to their id', async () => {
    const it = await openTestShop();
    await sendSale(it);
    const answer = await sendSale(it, { 'newCustomer.email': 'ANA@Example.com' });
    expect(answer.statusCode).toBe(422);
    expect(namedFields(answer.body)).toEqual(['newCustomer.email']);
    expect(answer.body).toMatch(/customerId.*GET \/api\/purchases/);
    expect(await listSales(it)).toHaveLength(1);
  });

  test('two sales to one new address at the same moment: one is recorded, one is 422', async () => {
    const it = await openTestShop();
    const answers = await Promise.all([sendSale(it), sendSale(it)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 422]);
  });

  test('400 for a field that is given twice', async () => {
    const it = await openTestShop();
    for (const [, encode] of encodings) {
      const answer = await post(it, encode([...saleFields(it), ['amount', '1.00']]));
      expect(answer.statusCode).toBe(400);
      expect(namedFields(answer.body)).toEqual(['amount']);
      expect(answer.body).toContain('2 times');
    }
  });

  test('other fields are ignored, and names such as __proto__ reach nothing', async () => {
    const it = await openTestShop();
    const odd = ['note', '__proto__', 'constructor', 'toString', '__proto__[x]', 'newCustomer', '', 'x\r\ny'];
    for (const name of odd) {
      for (const [kind, encode] of encodings) {
        const email = `${it.ports.ids.next()}@example.com`;
        const answer = await post(
          it,
          encode([...saleFields(it, { 'newCustomer.email': email }), [name, 'x']]),
        );
        expect([201, 400], `${kind} ${name}`).toContain(answer.statusCode);
        expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      }
    }
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  test('HTML in what was sent stays text', async () => {
    const it = await openTestShop();
    const script = '<script>alert(1)</script>';
    expect((await sendSale(it, { 'newCustomer.name': script })).body).not.toContain('<script');
    expect(await listSales(it)).toMatchObject([{ customerName: script }]);
    const email = "'x=/onclick&y@example.com";
    await sendSale(it, { 'newCustomer.email': email });
    const again = await sendSale(it, { 'newCustomer.email': email });
    expect(again.statusCode).toBe(422);
    expect(again.body).toContain('&#39;x&#61;/onclick&#38;y@example.com');
  });
});

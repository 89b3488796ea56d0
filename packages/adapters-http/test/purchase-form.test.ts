import { createOrganisation } from '@handover/domain';
import { describe, expect } from 'vitest';
import { openTestShop } from './open-test-shop.ts';
import { readDocument } from './read-document.ts';
import { asUrlencoded, encodings, listSales, namedFields, post, saleFields, sendSale } from './send-form.ts';
import { test } from './test-in-shop.ts';

describe('POST /api/purchases', () => {
  test.each(encodings)('records customer, sale and link from a form that is %s', async (_name, encode) => {
    const testShop = await openTestShop();
    const answer = await post(testShop, encode(saleFields(testShop)));
    expect(answer.statusCode).toBe(201);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.body).not.toMatch(/<html|<body|<!doctype/i);
    const [row] = await listSales(testShop);
    expect(row).toMatchObject({
      customerName: 'Ana Lima',
      customerEmail: 'ana@example.com',
      productId: testShop.shop.product.id,
      amount: '49.00',
      currency: 'EUR',
      paymentMethod: 'custom',
      source: 'api',
    });
    expect(answer.body).toContain(`data-purchase-id="${row?.id}"`);
    expect(answer.body).toContain(`data-customer-id="${row?.customerId}"`);
    expect(answer.body).toContain(
      `href="${testShop.ports.tokens.url(testShop.shop.orgId, row?.linkId ?? '')}"`,
    );
    expect(await testShop.stores.queuedJobs()).toEqual([]);
  });

  test('answers with the fragment that the reference shows', async ({ testShop }) => {
    const { body } = await sendSale(testShop, { sendEmail: 'true' });
    const operation = (await readDocument(testShop.app)).paths['/api/purchases']?.post;
    const shown = String(operation?.responses['201']?.content?.['text/html']?.example);
    const withoutValues = (fragment: string) => fragment.replace(/="[^"]*"/g, '');
    expect(withoutValues(body)).toBe(withoutValues(shown));
  });

  test('takes an existing customer by id, and ignores the fields of a new one', async ({ testShop }) => {
    await sendSale(testShop);
    const [first] = await listSales(testShop);
    const answer = await sendSale(testShop, { customerId: first?.customerId, 'newCustomer.email': 'junk' });
    expect(answer.statusCode).toBe(201);
    expect((await listSales(testShop)).map(({ customerId }) => customerId)).toEqual([
      first?.customerId,
      first?.customerId,
    ]);
  });

  test.each([
    ['true', 1],
    ['True', 1],
    ['FALSE ', 0],
    ['false', 0],
    ['', 0],
    [undefined, 0],
  ])('sendEmail %j queues %i mail', async (sendEmail, mails) => {
    const testShop = await openTestShop();
    expect((await sendSale(testShop, { sendEmail })).statusCode).toBe(201);
    expect(await testShop.stores.queuedJobs()).toHaveLength(mails);
  });

  test('answers 400 and names every missing field at once; a blank one counts as missing', async () => {
    const testShop = await openTestShop();
    const required = ['customerId', 'productId', 'amount', 'currency', 'paymentMethod'];
    const answer = await post(testShop, asUrlencoded([['amount', ' ']]));
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toMatch(/^<div role="alert">/);
    expect(namedFields(answer.body)).toEqual(required);
    expect(namedFields((await post(testShop, {})).body)).toEqual(required);
    const ofNew = await post(testShop, asUrlencoded([['customerId', 'new']]));
    expect(namedFields(ofNew.body)).toEqual(['newCustomer.name', 'newCustomer.email', ...required.slice(1)]);
  });

  test('answers 400 and names every wrong field at once', async ({ testShop }) => {
    const answer = await sendSale(testShop, { 'newCustomer.email': 'ana', amount: 'x', currency: 'EURO' });
    expect(answer.statusCode).toBe(400);
    expect(namedFields(answer.body)).toEqual(['newCustomer.email', 'currency', 'amount']);
  });

  const wrong: readonly [string, Readonly<Record<string, string>>, string][] = [
    ['a comma in the amount', { amount: '49,00' }, 'amount'],
    ['thousands in the amount', { amount: '1,049.00' }, 'amount'],
    ['a sign in the amount', { amount: '-1.00' }, 'amount'],
    ['an exponent in the amount', { amount: '1e3' }, 'amount'],
    ['words for an amount', { amount: 'NaN' }, 'amount'],
    ['digits of other scripts', { amount: '٤٩' }, 'amount'],
    ['three digits of euros', { amount: '49.001' }, 'amount'],
    ['a half yen', { amount: '49.5', currency: 'JPY' }, 'amount'],
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
    ['bytes that are not UTF-8', { 'newCustomer.name': 'Ana \uFFFD' }, 'newCustomer.name'],
  ];

  test.each(
    wrong.flatMap(([name, changes, field]) =>
      encodings.map(([kind, encode]) => ({ name, kind, changes, field, encode })),
    ),
  )('answers 400 for $name, $kind, beside the name of the field', async ({ changes, field, encode }) => {
    const testShop = await openTestShop();
    const answer = await post(testShop, encode(saleFields(testShop, changes)));
    expect(answer.statusCode).toBe(400);
    expect(namedFields(answer.body)).toEqual([field]);
    expect(answer.body).toContain(`“${field}”`);
    expect(await listSales(testShop)).toEqual([]);
  });

  test.each([
    ['EUR', '49', '49.00'],
    ['eur', '49.5', '49.50'],
    ['JPY', '4900', '4900'],
    ['JPY', '4900.00', '4900'],
    ['KWD', '4.9', '4.900'],
    ['EUR', '0', '0.00'],
    ['EUR', '999999999999999.99', '999999999999999.99'],
  ])('keeps an amount of %s exact: %s is %s', async (currency, amount, kept) => {
    const testShop = await openTestShop();
    expect((await sendSale(testShop, { currency, amount })).statusCode).toBe(201);
    expect(await listSales(testShop)).toMatchObject([{ amount: kept, currency: currency.toUpperCase() }]);
  });

  test('answers 404 for a product or a customer that is unknown, malformed or foreign', async () => {
    const testShop = await openTestShop();
    const other = await createOrganisation(testShop.ports, {
      name: 'Other',
      ownerEmail: 'other@example.com',
    });
    if (other.kind !== 'created') throw new Error(other.kind);
    await sendSale(testShop);
    const [ours] = await listSales(testShop);
    for (const productId of [
      'pads',
      'x'.repeat(5000),
      '\0',
      "'; drop",
      '00000000-0000-7000-8000-000000000000',
    ]) {
      const answer = await sendSale(testShop, { productId, 'newCustomer.email': 'b@example.com' });
      expect(answer.statusCode, productId).toBe(404);
      expect(namedFields(answer.body)).toEqual(['productId']);
    }
    for (const customerId of ['New', 'ana@example.com', '\0']) {
      const answer = await sendSale(testShop, { customerId });
      expect(answer.statusCode, customerId).toBe(404);
      expect(namedFields(answer.body)).toEqual(['customerId']);
    }
    const theirs = await post(
      testShop,
      asUrlencoded(saleFields(testShop, { customerId: ours?.customerId })),
      other.apiKey,
    );
    expect(theirs.statusCode).toBe(404);
    expect(await listSales(testShop)).toHaveLength(1);
  });

  test('answers 422 for a new customer whose address is on record, in any spelling, and says how to find their id', async () => {
    const testShop = await openTestShop();
    await sendSale(testShop);
    const answer = await sendSale(testShop, { 'newCustomer.email': 'ANA@Example.com' });
    expect(answer.statusCode).toBe(422);
    expect(namedFields(answer.body)).toEqual(['newCustomer.email']);
    expect(answer.body).toMatch(/customerId.*GET \/api\/purchases/);
    expect(await listSales(testShop)).toHaveLength(1);
  });

  test('records one of two concurrent sales to a new address, and answers 422 to the other', async () => {
    const testShop = await openTestShop();
    const answers = await Promise.all([sendSale(testShop), sendSale(testShop)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 422]);
  });

  test('answers 400 for a repeated field', async ({ testShop }) => {
    for (const [, encode] of encodings) {
      const answer = await post(testShop, encode([...saleFields(testShop), ['amount', '1.00']]));
      expect(answer.statusCode).toBe(400);
      expect(namedFields(answer.body)).toEqual(['amount']);
      expect(answer.body).toContain('2 times');
    }
  });

  test('ignores other fields, including names such as __proto__', async ({ testShop }) => {
    const odd = ['note', '__proto__', 'constructor', 'toString', '__proto__[x]', 'newCustomer', '', 'x\r\ny'];
    for (const name of odd) {
      for (const [kind, encode] of encodings) {
        const email = `${testShop.ports.ids.next()}@example.com`;
        const answer = await post(
          testShop,
          encode([...saleFields(testShop, { 'newCustomer.email': email }), [name, 'x']]),
        );
        expect([201, 400], `${kind} ${name}`).toContain(answer.statusCode);
        expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      }
    }
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  test('escapes HTML in the values', async ({ testShop }) => {
    const script = '<script>alert(1)</script>';
    expect((await sendSale(testShop, { 'newCustomer.name': script })).body).not.toContain('<script');
    expect(await listSales(testShop)).toMatchObject([{ customerName: script }]);
    const email = "'x=/onclick&y@example.com";
    await sendSale(testShop, { 'newCustomer.email': email });
    const again = await sendSale(testShop, { 'newCustomer.email': email });
    expect(again.statusCode).toBe(422);
    expect(again.body).toContain('&#39;x&#61;/onclick&#38;y@example.com');
  });
});

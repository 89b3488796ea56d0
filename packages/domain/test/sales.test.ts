import type { NewSale, SaleForm } from '@handover/domain';
import { currencyDigits, readAmount, readReportPeriod, recordSale } from '@handover/domain';
import { BY_JANA } from '@handover/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openShopInMemory } from './open-shop-in-memory.ts';

const FORM: SaleForm = {
  customerId: 'new',
  newCustomer: { name: 'Ana Lima', email: 'ana@example.com' },
  productId: '',
  amount: '49.00',
  currency: 'EUR',
  paymentMethod: 'custom',
  sendEmail: false,
};

async function openedShop() {
  const ports = await openShopInMemory();
  const { shop, stores } = ports;
  const added: NewSale[] = [];
  const purchases = {
    ...stores.purchases,
    add: async (sale: NewSale) => {
      added.push(sale);
      return stores.purchases.add(sale);
    },
  };
  const record = (changes: Partial<SaleForm>) =>
    recordSale(
      { ...ports, purchases },
      { orgId: shop.orgId, source: 'dashboard', idempotencyKey: null, by: BY_JANA },
      { ...FORM, productId: shop.product.id, ...changes },
    );
  const recordWithKey = (idempotencyKey: string, changes: Partial<SaleForm>) =>
    recordSale(
      { ...ports, purchases },
      { orgId: shop.orgId, source: 'api', idempotencyKey, by: BY_JANA },
      { ...FORM, ...changes },
    );
  return { shop, added, record, recordWithKey };
}

describe('an amount in a form', () => {
  it.each([
    ['49', 'EUR', '49.00'],
    ['49.5', 'EUR', '49.50'],
    [' 0.00 ', 'EUR', '0.00'],
    ['3000', 'JPY', '3000'],
    ['3000.00', 'JPY', '3000'],
    ['3000.0', 'JPY', '3000'],
    ['1.234', 'KWD', '1.234'],
    ['007.10', 'USD', '7.10'],
  ])('%j in %s is %s', (text, currency, amount) => {
    expect(readAmount(text, currency)).toEqual({ kind: 'valid', amount });
  });

  it.each([
    ['49,00', 'EUR', 'must be written with a point: 49.00'],
    ['4.999', 'EUR', 'must have at most 2 digits after the point in EUR: 49.00'],
    ['1.000', 'EUR', 'must have at most 2 digits after the point in EUR: 49.00'],
    ['1.000', 'JPY', 'must have no digits after the point in JPY: 49'],
    ['5.50', 'JPY', 'must have no digits after the point in JPY: 49'],
    ['1.2345', 'KWD', 'must have at most 3 digits after the point in KWD: 49.000'],
    ['-1', 'EUR', 'must be a number such as 49.00'],
    ['1e3', 'EUR', 'must be a number such as 49.00'],
    ['€49', 'EUR', 'must be a number such as 49.00'],
    ['', 'EUR', 'must be a number such as 49.00'],
    ['1'.repeat(16), 'EUR', 'must be a number such as 49.00'],
  ])('%j in %s is refused: %s', (text, currency, problem) => {
    expect(readAmount(text, currency)).toEqual({ kind: 'invalid', problem });
  });

  it('keeps its value exactly, whatever its digits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (cents) => {
        const text = `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
        expect(readAmount(text, 'EUR')).toEqual({ kind: 'valid', amount: text });
      }),
    );
  });

  it('knows the currencies of ISO 4217, and no others', () => {
    expect(['EUR', 'JPY', 'KWD', 'ISK', 'XXX', 'EURO', 'eur', ''].map(currencyDigits)).toEqual([
      ...[2, 0, 3, 0],
      ...[null, null, null, null],
    ]);
  });
});

describe('a recorded sale', () => {
  it('is one plan: customer, purchase, link, activity, and receipt with its job when mail is asked for', async () => {
    const { record, added, shop } = await openedShop();
    await record({ sendEmail: true, currency: ' eur ' });
    const [sale] = added;
    expect(sale).toMatchObject({
      customer: { name: 'Ana Lima', email: 'ana@example.com' },
      purchase: { versionId: shop.version.id, amount: '49.00', currency: 'EUR', source: 'dashboard' },
      jobs: [{ kind: 'send-email', emailKind: 'receipt', emailId: sale?.receipt?.id }],
      activity: { kind: 'sale-recorded', summary: 'Sale recorded: Pads for 49.00 EUR.', ...BY_JANA },
    });
    expect(sale?.purchase.receiptId).toBe(sale?.receipt?.id);
  });

  it.each<[string, Partial<SaleForm>]>([
    ['newCustomer.name', { newCustomer: null }],
    ['newCustomer.name', { newCustomer: { name: ' ', email: 'a@b.c' } }],
    ['newCustomer.name', { newCustomer: { name: '\u200b', email: 'a@b.c' } }],
    ['newCustomer.name', { newCustomer: { name: 'Ana \u202egpj.exe', email: 'a@b.c' } }],
    ['newCustomer.email', { newCustomer: { name: 'A', email: 'a＠b@c.d' } }],
    ['newCustomer.name', { newCustomer: { name: 'a\r\nBcc: x@y', email: 'a@b.c' } }],
    ['newCustomer.email', { newCustomer: { name: 'A', email: 'a@b.c\r\nBcc: x@y' } }],
    ['newCustomer.email', { newCustomer: { name: 'A', email: '' } }],
    ['currency', { currency: 'EURO' }],
    ['amount', { amount: '49,00' }],
    ['paymentMethod', { paymentMethod: '' }],
  ])('with a wrong %s is refused: %j', async (field, changes) => {
    const { record, added } = await openedShop();
    expect(await record(changes)).toMatchObject({ kind: 'invalid', field });
    expect(added).toEqual([]);
  });

  it('names every wrong value at once, in the order of the form', async () => {
    const { record } = await openedShop();
    const wrong = { newCustomer: null, currency: 'EURO', amount: 'much', paymentMethod: ' ' };
    expect(await record(wrong)).toMatchObject({
      kind: 'invalid',
      problems: [
        { field: 'newCustomer.name', problem: 'must not be empty' },
        { field: 'newCustomer.email', problem: 'must be an e-mail address' },
        { field: 'currency' },
        { field: 'amount', problem: 'must be a number such as 49.00' },
        { field: 'paymentMethod' },
      ],
    });
  });

  it('does not count the digits of an amount in an unknown currency', async () => {
    const { record } = await openedShop();
    expect(await record({ currency: 'EURO', amount: '49.000' })).toMatchObject({
      problems: [{ field: 'currency' }],
    });
  });

  it('is the same form in another spelling of the same values', async () => {
    const { shop, ...ports } = await openedShop();
    const send = (changes: Partial<SaleForm>) =>
      ports.recordWithKey('key-1', { productId: shop.product.id, ...changes });
    const first = await send({});
    expect(first.kind).toBe('recorded');
    const newCustomer = { name: ' Ana Lima ', email: ' ana@example.com ' };
    expect(await send({ amount: '49', currency: 'eur', customerId: ' new ', newCustomer })).toEqual(first);
    expect(await send({ amount: '49.01' })).toEqual({ kind: 'key-reused' });
  });

  it('has a number of its own at most, of one line, and is another sale with another number', async () => {
    const { shop, added, record, recordWithKey } = await openedShop();
    const send = (changes: Partial<SaleForm>) =>
      recordWithKey('key-1', { productId: shop.product.id, ...changes });
    const first = await send({ orderNumber: ' R-17 ' });
    expect(added[0]?.purchase.orderNumber).toBe('R-17');
    expect(await send({ orderNumber: 'R-17' })).toEqual(first);
    expect(await send({ orderNumber: 'R-18' })).toEqual({ kind: 'key-reused' });
    expect(await send({})).toEqual({ kind: 'key-reused' });
    for (const orderNumber of ['R\n17', 'R'.repeat(201)])
      expect(await record({ orderNumber })).toMatchObject({ kind: 'invalid', field: 'orderNumber' });
  });

  it('is given up when another version goes live before each of its commits', async () => {
    const { shop, ...ports } = await openShopInMemory();
    let tries = 0;
    const add = async () => {
      tries += 1;
      if (tries > 99) throw new Error('It tries without a limit.');
      return { kind: 'changed-meanwhile' } as const;
    };
    const selling = recordSale(
      { ...ports, purchases: { add } },
      { orgId: shop.orgId, source: 'dashboard', idempotencyKey: null, by: BY_JANA },
      { ...FORM, productId: shop.product.id },
    );
    await expect(selling).rejects.toMatchObject({ code: 'contended' });
    expect(tries).toBe(10);
  });

  it('names the address that is on record already', async () => {
    const { record } = await openedShop();
    await record({});
    const again = await record({ newCustomer: { name: 'Ana', email: 'ANA@example.com' } });
    expect(again).toEqual({ kind: 'customer-exists', email: 'ANA@example.com' });
  });
});

describe('the period of a report', () => {
  const now = new Date('2026-03-15T13:30:00.000Z');
  const read = (from: string | null, to: string | null) => readReportPeriod({ from, to }, now);
  const day = (text: string) => new Date(`${text}T00:00:00.000Z`);

  it.each([
    ['2026-03-01', '2026-03-02', '2026-03-01', '2026-03-03'],
    ['2026-03-02', '2026-03-02', '2026-03-02', '2026-03-03'],
    [null, null, '2026-02-14', '2026-03-16'],
    ['2026-01-01', null, '2026-01-01', '2026-03-16'],
    [null, '2026-01-31', '2026-01-02', '2026-02-01'],
    ['2024-02-29', '2024-02-29', '2024-02-29', '2024-03-01'],
  ])('from %s to %s is whole days, both included', (from, to, first, until) => {
    expect(read(from, to)).toEqual({ kind: 'period', from: day(first), until: day(until) });
  });

  const NO_DAY = 'must be a day such as 2026-03-31';
  const REVERSED = 'must not be after “to”';

  it.each([
    ['2026-02-29', null, 'from', 'not-a-day', NO_DAY],
    ['2026-3-1', null, 'from', 'not-a-day', NO_DAY],
    ['yesterday', null, 'from', 'not-a-day', NO_DAY],
    ['2026-03', null, 'from', 'not-a-day', NO_DAY],
    ['+012026-03-01', null, 'from', 'not-a-day', NO_DAY],
    ['on 2026-03-01', null, 'from', 'not-a-day', NO_DAY],
    ['2026-03-01T09:00', null, 'from', 'not-a-day', NO_DAY],
    [null, '2026-13-01', 'to', 'not-a-day', NO_DAY],
    [null, '', 'to', 'not-a-day', NO_DAY],
    ['2026-03-02', '2026-03-01', 'from', 'reversed', REVERSED],
    ['2026-03-16', null, 'from', 'reversed', 'must not be after today'],
  ])('from %j to %j is refused, naming “%s”: %s', (from, to, field, reason, problem) => {
    expect(read(from, to)).toEqual({ kind: 'invalid', field, reason, problem });
  });
});

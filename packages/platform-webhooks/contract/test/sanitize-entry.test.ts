import { describe, expect, it } from 'vitest';
import type { TranslatedOrder } from '../src/index.ts';
import { sanitizeEntry } from '../src/sanitize-entry.ts';
import { ORDER } from './fake-platform.ts';

function sanitizeOrder(changes: Partial<TranslatedOrder>): TranslatedOrder {
  const entry = sanitizeEntry({ kind: 'order', order: { ...ORDER, ...changes } });
  if (entry.kind !== 'order') throw new Error(JSON.stringify(entry));
  return entry.order;
}

describe('a translated order is sanitized', () => {
  it('and unchanged if it is clean', () => {
    expect(sanitizeOrder({})).toEqual(ORDER);
  });

  it.each([
    ['of none at all', ' \u0000', 'The order has no id.'],
    ['too long', 'x'.repeat(201), "The order's id is longer than 200 characters."],
  ])('and rejected if its id is %s', (_case, orderId, problem) => {
    expect(sanitizeEntry({ kind: 'order', order: { ...ORDER, orderId } })).toEqual({
      kind: 'unreadable',
      problem,
    });
  });

  it('with clean and truncated texts', () => {
    const order = sanitizeOrder({
      orderNumber: '',
      customer: { email: ' a@example.com\u0000', name: `${'n'.repeat(299)}😀` },
      currency: ' eur ',
      lines: [{ candidates: [], quantity: 1, amount: null, title: '\ud800' }],
    });
    expect(order.orderNumber).toBe('1');
    expect(order.customer).toEqual({ email: 'a@example.com', name: 'n'.repeat(299) });
    expect(order.currency).toBe('EUR');
    expect(order.lines[0]?.title).toBe('\ufffd');
  });

  it('without lines, and with a note, if there are more of them than any order has', () => {
    const line = { candidates: [], quantity: 1, amount: null, title: 'Pads' };
    const lines = (count: number) => sanitizeOrder({ lines: Array.from({ length: count }, () => line) });
    expect(lines(1000).lines).toHaveLength(1000);
    const order = lines(1001);
    expect(order.lines).toEqual([]);
    expect(order.notes[0]).toBe('The order has more than 1000 lines, so none of them was read.');
  });

  it('without an overlong address, which is never truncated', () => {
    const order = sanitizeOrder({ customer: { email: `${'a'.repeat(250)}@example.com`, name: null } });
    expect(order.customer.email).toBeNull();
    expect(order.notes).toEqual(['The e-mail address is too long to be one.']);
  });

  it('with each candidate once', () => {
    const candidates = [
      { kind: 'sku', value: ' A ' },
      { kind: 'sku', value: 'A' },
      { kind: 'vendor-id', value: 'A' },
      { kind: 'sku', value: '\u0000' },
      { kind: 'sku', value: 'B'.repeat(300) },
    ] as const;
    const [line] = sanitizeOrder({ lines: [{ candidates, quantity: 1, amount: null, title: null }] }).lines;
    expect(line?.candidates).toEqual([
      { kind: 'sku', value: 'A' },
      { kind: 'vendor-id', value: 'A' },
      { kind: 'sku', value: 'B'.repeat(200) },
    ]);
  });

  it.each([
    ['49.00', 'EUR', '49.00', []],
    ['1e3', 'EUR', '1000', []],
    ['49', 'EUR', '49', []],
    ['5.50', 'ISK', '5.50', ['The total 5.50 has more decimals than ISK has.']],
    // Nobody can mistake these for thousands.
    ['0.000', 'EUR', '0.000', []],
    ['0.00', 'JPY', '0.00', []],
    ['0000', 'EUR', '0', []],
    ['3000.00', 'JPY', '3000.00', ['The total 3000.00 has more decimals than JPY has.']],
    ['1.234', 'KWD', '1.234', []],
    ['-3.00', 'EUR', '-3.00', ['The total -3.00 is negative.']],
    ['49.00', null, '49.00', []],
    ['49.00', 'ZZZ', '49.00', ['ZZZ is not the code of a currency in circulation.']],
    ['49.00', 'EURO', '49.00', ['EURO is not the code of a currency in circulation.']],
    ['49.005', 'DEM', '49.005', ['DEM is not the code of a currency in circulation.']],
    [null, 'EUR', null, ['The order names no readable total.']],
  ])('with a total of %s %s', (total, currency, expected, notes) => {
    const lines = [{ ...ORDER.lines[0], amount: null }];
    expect(sanitizeOrder({ total, currency, lines })).toMatchObject({ total: expected, notes });
  });

  it.each([0, -1, 1.5, Number.NaN, 2 ** 60])('with a quantity of %d taken as 1', (quantity) => {
    const order = sanitizeOrder({ lines: [{ ...ORDER.lines[0], quantity }] });
    expect(order.lines[0]?.quantity).toBe(1);
    expect(order.notes).toHaveLength(1);
  });

  it('with a limited number of notes', () => {
    const notes = sanitizeOrder({ notes: Array.from({ length: 50 }, () => 'x'.repeat(900)) }).notes;
    expect(notes).toHaveLength(20);
    expect(notes[0]).toHaveLength(500);
  });
});

describe.each(['ignored', 'error'] as const)('an event of kind %s is sanitized', (kind) => {
  it('with a truncated reason, and without an overlong id', () => {
    const orderId = 'x'.repeat(201);
    expect(sanitizeEntry({ kind, orderId, reason: `a\u0000${'b'.repeat(900)}` })).toEqual({
      kind,
      orderId: null,
      reason: `a${'b'.repeat(499)}`,
    });
  });
});

describe('what is not an order is sanitized', () => {
  const ignored = { kind: 'ignored', reason: 'No.' } as const;

  it('keeps the number of the order that it names, and no number without that order', () => {
    expect(sanitizeEntry({ ...ignored, orderId: '1', orderNumber: ' #1252 ' })).toEqual({
      ...ignored,
      orderId: '1',
      orderNumber: '#1252',
    });
    for (const orderNumber of [undefined, null, ' '])
      expect(
        sanitizeEntry({ ...ignored, orderId: '1', ...(orderNumber !== undefined && { orderNumber }) }),
      ).toEqual({ ...ignored, orderId: '1' });
    expect(sanitizeEntry({ ...ignored, orderId: null, orderNumber: '#1252' })).toEqual({
      ...ignored,
      orderId: null,
    });
    const refund = { ...ignored, orderId: null, isRefunded: true } as const;
    expect(sanitizeEntry({ ...refund, orderNumber: ' pi_1 ' })).toEqual({ ...refund, orderNumber: 'pi_1' });
  });

  it('and a refund whose id cannot be one names no order by its number, which another order may have', () => {
    const refund = { kind: 'ignored', reason: 'It was refunded.', isRefunded: true } as const;
    const entry = { ...refund, orderId: 'x'.repeat(201), orderNumber: '#1001' };
    expect(sanitizeEntry(entry)).toEqual({ ...refund, orderId: null });
  });
});

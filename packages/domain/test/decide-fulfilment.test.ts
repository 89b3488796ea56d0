import type { Order, OrderSnapshot } from '@handover/domain';
import { makeLine } from '@handover/testkit';
import { describe, expect, it } from 'vitest';
import { bought, decide, NOW, outcomes, PADS } from './decide-order.ts';

const NO_CURRENCY =
  'The order names no currency. Choose the one of such orders under Settings, Organisation.';

describe('a new order', () => {
  it('becomes customer, purchase, a link for 48 hours, one pending receipt and its job', () => {
    const plan = decide({});
    expect(plan.customer).toMatchObject({ email: 'ana@example.com', name: 'Ana Lima' });
    expect(plan.purchases).toMatchObject([
      {
        customerId: plan.customer?.id,
        productId: 'p-pads',
        versionId: 'v-1',
        amount: '49.00',
        currency: 'EUR',
      },
    ]);
    expect(plan.links).toMatchObject([
      { purchaseId: plan.purchases[0]?.id, expiresAt: new Date('2026-03-04T09:00:00.000Z') },
    ]);
    expect(plan.receipt).toMatchObject({ customerId: plan.customer?.id });
    expect(plan.purchases[0]?.receiptId).toBe(plan.receipt?.id);
    expect(plan.jobs).toEqual([
      { kind: 'send-email', emailKind: 'receipt', orgId: 'org', emailId: plan.receipt?.id, startAfter: NOW },
    ]);
    expect(plan.delivery).toMatchObject({ status: 'pending', reason: null, note: null });
    expect(plan.activity).toMatchObject([
      { kind: 'order-delivered', summary: 'Shopify order #1001: 1 product delivered.' },
    ]);
  });

  it('of a known customer uses that customer', () => {
    const plan = decide({}, { customer: { id: 'ana' } });
    expect(plan.customer).toBeNull();
    expect(plan.purchases[0]?.customerId).toBe('ana');
  });

  it('of an archived product with a live version is delivered', () => {
    const archived = { ...PADS, status: 'archived' } as const;
    expect(outcomes(decide({}, { products: [archived] }))).toEqual(['delivered']);
  });

  it('without a name is called by the local part of the address', () => {
    const plan = decide({ customer: { email: ' jo.reed@example.com ', name: ' ' } });
    expect(plan.customer).toMatchObject({ email: 'jo.reed@example.com', name: 'jo.reed' });
  });

  it('with one product on several lines is one purchase, its amounts added', () => {
    const lines = [
      makeLine('PADS', { amount: '10.10' }),
      makeLine('keys'),
      makeLine('pads', { amount: '0.205' }),
    ];
    const plan = decide({ lines });
    expect(plan.purchases.map(({ productId, amount }) => [productId, amount])).toEqual([
      ['p-keys', '49.00'],
      ['p-pads', '10.305'],
    ]);
    expect(new Set(plan.purchases.map(({ receiptId }) => receiptId)).size).toBe(1);
    expect(outcomes(plan)).toEqual(['delivered', 'delivered', 'delivered']);
    expect(plan.delivery.lines[0]?.purchaseId).toBe(plan.delivery.lines[2]?.purchaseId);
  });

  it('says of purchase and link whose they are, and what they came from', () => {
    const plan = decide({});
    expect(plan.orgId).toBe('org');
    expect(plan.customer).toMatchObject({ orgId: 'org', createdAt: NOW });
    expect(plan.receipt).toMatchObject({ orgId: 'org', createdAt: NOW });
    expect(plan.purchases).toMatchObject([
      {
        orgId: 'org',
        paymentMethod: 'storefront-a',
        source: 'storefront-a',
        connectionId: 'connection',
        orderId: '5001',
        orderNumber: '#1001',
        createdAt: NOW,
      },
    ]);
    expect(plan.links).toMatchObject([{ orgId: 'org', createdAt: NOW }]);
  });

  it('rests on the catalogue as it was read', () => {
    expect(decide({}).expectedVersions).toEqual({
      catalogueRevision: '7',
      bought: { connectionId: expect.any(String), orderId: expect.any(String), purchaseIds: [] },
      receipts: [],
      attempts: 0,
    });
  });

  it('is the same plan for the same facts', () => {
    expect(decide({})).toEqual(decide({}));
  });
});

describe('an amount never stops a delivery', () => {
  it.each<[string, Partial<Order>, string, string | null, string | null]>([
    [
      'odd decimals stay',
      { currency: 'ISK', lines: [makeLine('pads', { amount: '5.50' })] },
      '5.50',
      'ISK',
      null,
    ],
    [
      'text that is not a number counts as 0',
      { lines: [makeLine('pads', { amount: '$29.95' })] },
      '0',
      'EUR',
      'The amount “$29.95” is not a number; it counts as 0.',
    ],
    [
      'a total stands on the first line',
      { lines: [makeLine('pads', { amount: null })] },
      '49.00',
      'EUR',
      null,
    ],
    [
      'no amount at all counts as 0',
      { total: null, lines: [makeLine('pads', { amount: null })] },
      '0',
      'EUR',
      'The order names no amount; it counts as 0.',
    ],
    ['no currency is none', { currency: null }, '49.00', null, NO_CURRENCY],
    ['the code for no currency is none', { currency: 'XXX' }, '49.00', null, NO_CURRENCY],
  ])('%s', (_, order, amount, currency, note) => {
    const plan = decide(order);
    expect(plan.purchases).toMatchObject([{ amount, currency }]);
    expect(plan.delivery.note).toBe(note);
  });

  it('is nothing for a line without one, where another line has one', () => {
    const lines = [makeLine('pads', { amount: null }), makeLine('keys', { amount: '5.00' })];
    const plan = decide({ lines, total: '49.00' });
    expect(plan.purchases.map(({ productId, amount }) => [productId, amount])).toEqual([
      ['p-keys', '5.00'],
      ['p-pads', '0'],
    ]);
    expect(plan.delivery.note).toBe(null);
  });

  it('is the total on the first line alone, where no line has one', () => {
    const lines = [makeLine('pads', { amount: null }), makeLine('keys', { amount: null })];
    expect(decide({ lines }).purchases.map(({ productId, amount }) => [productId, amount])).toEqual([
      ['p-keys', '0'],
      ['p-pads', '49.00'],
    ]);
  });

  it('and the default currency replaces a missing one', () => {
    expect(decide({ currency: null }, { defaultCurrency: 'USD' }).purchases).toMatchObject([
      { currency: 'USD' },
    ]);
    expect(decide({ currency: 'EUR' }, { defaultCurrency: 'USD' }).purchases).toMatchObject([
      { currency: 'EUR' },
    ]);
  });

  it('and a total counts once, however many lines have no amount', () => {
    const lines = [makeLine('pads', { amount: null }), makeLine('keys', { amount: null })];
    const { purchases } = decide({ total: '98.00', lines });
    expect(purchases.map(({ productId, amount }) => [productId, amount])).toEqual([
      ['p-keys', '0'],
      ['p-pads', '98.00'],
    ]);
  });
});

describe('an order that cannot be delivered whole', () => {
  it.each([
    ['drums', 'drums: the product “Drums” is still a draft. Publish it, then deliver again.'],
    ['bells', 'bells: the product “Bells” has no live version. Activate one, then deliver again.'],
  ])('is held with SKU and reason, and creates nothing: %s', (sku, reason) => {
    const plan = decide({ lines: [makeLine(sku)] });
    expect(plan.delivery).toMatchObject({ status: 'held', reason });
    expect(plan.delivery.lines).toMatchObject([{ sku, outcome: 'held', reason }]);
    expect([plan.customer, plan.receipt]).toEqual([null, null]);
    expect([...plan.purchases, ...plan.links, ...plan.jobs, ...plan.activity]).toEqual([]);
  });

  it('delivers what it can: mixed lines are checked one by one', () => {
    const plan = decide({ lines: [makeLine('pads'), makeLine('drums'), makeLine('nobody-knows')] });
    expect(outcomes(plan)).toEqual(['delivered', 'held', 'unmatched']);
    expect(plan.delivery.status).toBe('held');
    expect(plan.purchases).toHaveLength(1);
    expect(plan.jobs).toHaveLength(1);
  });

  it('with an unknown SKU beside a delivered one is pending, the unknown one flagged', () => {
    const plan = decide({ lines: [makeLine('pads'), makeLine('nobody-knows')] });
    expect(plan.delivery).toMatchObject({ status: 'pending', reason: null });
    expect(plan.delivery.lines[1]).toMatchObject({ outcome: 'unmatched', sku: 'nobody-knows' });
  });

  it.each<[string, Partial<Order>, Partial<OrderSnapshot>, string, string | null]>([
    [
      'only unknown SKUs',
      { lines: [makeLine('nobody-knows')] },
      {},
      'error',
      'No product is known for SKU nobody-knows. Map it to a product, or ignore it.',
    ],
    [
      'a line without any SKU',
      { lines: [{ candidates: [], quantity: 1, amount: null, title: 'Setup help' }] },
      {},
      'error',
      'The line “Setup help” has no SKU that could name a product.',
    ],
    [
      'only lines that are not ours',
      { lines: [makeLine('mug')] },
      { mappings: [{ sku: 'mug', platform: null, productId: null }] },
      'ignored',
      'Every SKU of this order is ignored.',
    ],
    ['no line', { lines: [] }, {}, 'error', 'The order has no line that we could read.'],
    [
      'no address',
      { customer: { email: null, name: 'Ana' } },
      {},
      'error',
      'The order came without an e-mail address.',
    ],
    [
      'an address that no mail can go to',
      { customer: { email: 'ana at home', name: 'Ana' } },
      {},
      'error',
      'No mail can be sent to “ana at home”.',
    ],
    [
      'an expired subscription',
      {},
      { subscriptionExpiresAt: NOW },
      'held',
      'The subscription expired. Renewing it delivers this order.',
    ],
  ])('with %s creates nothing and says why', (_, order, known, status, reason) => {
    const plan = decide(order, known);
    expect(plan.delivery).toMatchObject({ status, reason });
    expect([...plan.purchases, ...plan.links, ...plan.jobs]).toEqual([]);
    expect([plan.customer, plan.receipt]).toEqual([null, null]);
  });

  it('names three reasons and counts the rest', () => {
    const lines = ['a1', 'b2', 'c3', 'd4', 'e5'].map((sku) => makeLine(sku));
    expect(decide({ lines }).delivery.reason).toMatch(/SKU c3\..* And 2 more lines like these\.$/);
  });
});

it('a test order is delivered, and says that it is one', () => {
  const plan = decide({ test: true, notes: ['It is odd.'] });
  expect(plan.purchases).toHaveLength(1);
  expect(plan.delivery.note).toBe('Test order. It is odd.');
});

describe('an order that fails as a whole', () => {
  const unknown = [makeLine('nobody')];

  it.each([
    ['of which every SKU is unknown', { lines: unknown }, {}, 'No product is known for SKU nobody.'],
    ['without an address', { customer: { email: null, name: null } }, {}, 'came without an e-mail address'],
    ['without a line', { lines: [] }, {}, 'has no line'],
  ])('%s is an alert', (_name, order, known, reason) => {
    const { alert, delivery } = decide(order, known);
    expect(delivery.status).toBe('error');
    expect(alert).toMatchObject({
      orgId: 'org',
      cause: 'not-delivered',
      about: 'order connection 5001',
      subjectId: 'delivery',
      details: {
        deliveryId: 'delivery',
        orderNumber: '#1001',
        reason: expect.stringContaining(reason),
        at: NOW,
      },
    });
  });

  it.each<[string, Partial<Order>, Partial<OrderSnapshot>]>([
    ['is delivered', {}, {}],
    ['is held', { lines: [makeLine('drums'), ...unknown] }, {}],
    ['is held for the subscription', {}, { subscriptionExpiresAt: NOW }],
    ['is not ours', { lines: unknown }, { mappings: [{ sku: 'nobody', platform: null, productId: null }] }],
    ['was delivered by another entry in part', { lines: unknown }, { purchases: [bought('p-pads', 'sent')] }],
    ['waits for its receipt to be sent again', {}, { purchases: [bought('p-pads', 'refused', 1)] }],
  ])('one that %s is none', (_name, order, known) => {
    expect(decide(order, known).alert).toBe(null);
  });
});

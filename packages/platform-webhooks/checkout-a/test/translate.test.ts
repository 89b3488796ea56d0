import { translateAgain } from '@handover/platform-contract';
import { encode } from '@handover/platform-contract/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkoutA } from '../src/index.ts';
import { sampleBatch, sampleEvent, sampleOrder, signedSample } from '../src/testing.ts';
import { entriesOf, orderOf, receiveBody, receiveSigned, SECRET } from './receive-body.ts';

const CUSTOMER = { first: 'C', last: 'D', email: 'c@example.com', company: 'E' };
const CONTACT = { first: 'A', last: 'B', email: 'a@example.com' };

describe('an order of checkout-a', () => {
  it('can be as small as this', () => {
    const body = encode(
      '{"events":[{"id":"e1","type":"order.completed","live":true,"data":{"id":"o1","reference":"ABC1-2-3",' +
        '"currency":"USD","total":49,"customer":{"first":"A","last":"B","email":"a@example.com"},' +
        '"items":[{"product":"pads","sku":null,"quantity":1,"subtotal":49}]}}]}',
    );
    const line = { candidates: [{ kind: 'sku', value: 'pads' }], quantity: 1, amount: '49', title: null };
    expect(receiveBody(body)).toMatchObject({
      entries: [
        {
          kind: 'order',
          order: {
            orderId: 'o1',
            orderNumber: 'ABC1-2-3',
            customer: { email: 'a@example.com', name: 'A B' },
            currency: 'USD',
            total: '49',
            lines: [line],
            test: false,
            notes: [],
          },
        },
      ],
    });
  });

  it.each([
    ['id', { id: 'o1', order: 'o2' }, 'o1'],
    ['order', { id: null, order: 'o2' }, 'o2'],
    ['order, also when expanded', { id: null, order: { id: 'o3' } }, 'o3'],
  ])('is identified by its %s', (_case, changes, expected) => {
    expect(orderOf(changes).orderId).toBe(expected);
  });

  it('shows its reference to people, otherwise its id', () => {
    expect(orderOf({ reference: 'EXA-1' }).orderNumber).toBe('EXA-1');
    expect(orderOf({ id: 'o1', reference: null }).orderNumber).toBe('o1');
  });

  it.each([
    ['the customer', { customer: CUSTOMER, account: { contact: CONTACT } }, 'c@example.com'],
    ['the account', { customer: { email: ' ' }, account: { contact: CONTACT } }, 'a@example.com'],
    ['the recipient', { customer: null, recipients: [{ recipient: { email: 'r@e.com' } }] }, 'r@e.com'],
    ['nowhere', { customer: {}, account: 'an-id', recipients: [] }, null],
  ])('takes the e-mail address from %s', (_case, changes, expected) => {
    expect(orderOf(changes).customer.email).toBe(expected);
  });

  it.each([
    ['the customer', { customer: CUSTOMER, account: { contact: CONTACT } }, 'C D'],
    ['one of both names', { customer: { first: '', last: 'Sato' } }, 'Sato'],
    ['the account', { customer: { company: 'E' }, account: { contact: CONTACT } }, 'A B'],
    ['the company', { customer: { company: 'E' }, account: 'an-id' }, 'E'],
    ['nowhere', { customer: null }, null],
  ])('takes the name from %s', (_case, changes, expected) => {
    expect(orderOf(changes).customer.name).toBe(expected);
  });

  it.each([
    ['the event', {}, { live: false }, true],
    ['the order', { live: false }, { live: undefined }, true],
    ['neither', { live: undefined }, { live: undefined }, false],
  ])('is a test if %s says so', (_case, order, event, expected) => {
    expect(orderOf(order, [{}], event).test).toBe(expected);
  });

  it('keeps amounts unchanged', () => {
    expect(
      receiveBody(encode('{"events":[{"type":"order.completed","data":{"id":"1","total":28.0}}]}')),
    ).toEqual(
      expect.objectContaining({
        entries: [expect.objectContaining({ order: expect.objectContaining({ total: '28.0' }) })],
      }),
    );
  });

  it('without lines is still an order: the log shows what is missing', () => {
    expect(orderOf({ items: [] }).lines).toEqual([]);
    expect(orderOf({ items: undefined, customer: null }).lines).toEqual([]);
  });

  it('without a batch is read all the same', () => {
    const event = encode(JSON.stringify(sampleEvent()));
    const bare = encode(JSON.stringify(sampleOrder()));
    const expected = receiveBody(sampleBatch([sampleEvent()]));
    expect(receiveBody(event)).toEqual(expected);
    expect(receiveBody(bare)).toEqual(expected);
  });
});

describe('a line of checkout-a', () => {
  it.each([
    ['a SKU', { sku: ' PAD-1 ', product: 'pads' }, ['PAD-1', 'pads']],
    ['no SKU', { sku: null, product: 'pads' }, ['pads']],
    ['an empty SKU and a path', { sku: '', product: '/music/pads' }, ['/music/pads', 'pads']],
    ['a SKU that is a number', { sku: 12, product: undefined }, ['12']],
    ['a path that is a number', { sku: null, product: 12 }, ['12']],
    ['an expanded product', { sku: null, product: { product: '/music/pads' } }, ['/music/pads', 'pads']],
    ['the SKU in it', { sku: null, product: { product: 'pads', sku: 'PAD-1' } }, ['PAD-1', 'pads']],
    ['a SKU beside it', { sku: 'PAD-2', product: { product: 'pads', sku: 'PAD-1' } }, ['PAD-2', 'pads']],
    ['nothing', { sku: null, product: null }, []],
  ])('with %s offers the other ones', (_case, item, expected) => {
    const [line] = orderOf({}, [item]).lines;
    expect(line?.candidates).toEqual(expected.map((value) => ({ kind: 'sku', value })));
  });

  it('of a bundle costs nothing, and counts as bought', () => {
    const lines = orderOf({}, [{ isBundle: true }, { product: 'part', driver: {}, subtotal: 0.0 }]).lines;
    expect(lines.map(({ amount }) => amount)).toEqual(['24.5', '0']);
  });

  it('with a quantity of zero is left out', () => {
    expect(orderOf({}, [{ quantity: 0 }, { quantity: 2 }]).lines.map(({ quantity }) => quantity)).toEqual([
      2,
    ]);
  });

  it('without a readable quantity counts once, with a note', () => {
    const order = orderOf({}, [{ quantity: 'many' }]);
    expect(order.lines[0]?.quantity).toBe(1);
    expect(order.notes).toEqual(['Line 1: no readable quantity; taken as 1.']);
  });
});

describe('a batch of checkout-a', () => {
  it('is checked event by event, in order', () => {
    const entries = entriesOf([
      { id: 'ev-a1', type: 'subscription.activated', live: true, data: { id: 'sub-81' } },
      sampleEvent(),
      sampleEvent({ id: 'ev-a3', live: false, data: sampleOrder({ id: 'q2', order: 'q2', total: 3000 }) }),
      { id: 'ev-a4', type: 'payoutEntry.created', data: { order: sampleOrder() } },
    ]);
    expect(entries.map((entry) => (entry.kind === 'order' ? entry.order.orderId : entry.kind))).toEqual([
      'ignored',
      'ExampleOrderId0000001A',
      'q2',
      'ignored',
    ]);
  });

  it.each([
    ['text', 'noise', 'An event of the batch is not an object.'],
    ['a list', [], 'An event of the batch is not an object.'],
    ['an empty object', {}, 'The event does not say what it is.'],
  ])('with %s among its events delivers the others', (_case, bad, reason) => {
    const [first, second] = entriesOf([bad, sampleEvent()]);
    expect(first).toEqual({ kind: 'ignored', orderId: null, reason });
    expect(second?.kind).toBe('order');
  });

  it.each([
    ['e9', 'The event e9 names no order id, so nothing can be delivered for it.'],
    [undefined, 'The event without an id names no order id, so nothing can be delivered for it.'],
  ])('shows an order whose id is missing as an error: event %s', (id, reason) => {
    const data = sampleOrder({ id: null, order: null });
    const nameless = { kind: 'error', orderId: null, reason };
    expect(entriesOf([sampleEvent({ id, data }), sampleEvent()])).toMatchObject([
      nameless,
      { kind: 'order' },
    ]);
    expect(entriesOf([sampleEvent({ id, data })])).toEqual([nameless]);
    expect(entriesOf([{ id, type: 'order.completed' }])).toEqual([nameless]);
  });

  it('that announces one order twice contains it once, with the lines of both', () => {
    const other = sampleEvent({
      id: 'ev-9',
      data: sampleOrder({}, [{}, { sku: 'KEYS-2', product: 'keys' }]),
    });
    const body = sampleBatch([sampleEvent(), other]);
    const reception = receiveBody(body);
    if (reception.kind !== 'translated') throw new Error(reception.kind);
    const [first, second] = reception.entries;
    if (first?.kind !== 'order') throw new Error('no order');
    expect(first.order.lines.map(({ candidates }) => candidates[0]?.value)).toEqual(['PAD-1', 'KEYS-2']);
    expect(second?.kind).toBe('ignored');

    const again = translateAgain(checkoutA, { bytes: body, headers: {} }, first.order.orderId);
    expect(again).toEqual(first.order);
  });
});

describe('a body that checkout-a never sends', () => {
  it.each([
    ['', 'The body is empty.'],
    ['{"events":', 'The body is not valid JSON.'],
    ['{}', 'The body holds no list of events.'],
    ['[]', 'The body holds no list of events.'],
    ['{"events":{"a":1}}', 'The body holds no list of events.'],
    [`{"events":[${'{},'.repeat(250)}{}]}`, 'The batch holds more than 250 events.'],
  ])('%s is unreadable', (text, problem) => {
    expect(receiveBody(encode(text))).toEqual({ kind: 'unreadable', connectionId: 'main', problem });
  });

  it('never crashes the platform, whatever JSON its members are', () => {
    const members = fc.dictionary(
      fc.constantFrom('id', 'order', 'items', 'customer', 'account', 'total', 'original', '__proto__'),
      fc.jsonValue({ maxDepth: 3 }),
    );
    fc.assert(
      fc.property(members, fc.jsonValue({ maxDepth: 4 }), (changes, event) => {
        const body = sampleBatch([event, sampleEvent({ data: sampleOrder(changes) })]);
        expect(receiveBody(body)).not.toHaveProperty('cause');
      }),
    );
  });
});

describe('a sample of checkout-a', () => {
  it('can be an order that is not paid', () => {
    const sale = { orderId: '727', email: 'b@example.com', sku: 'KEYS-2', unpaid: true };
    expect(receiveBody(signedSample(SECRET, sale).body)).toMatchObject({
      entries: [{ kind: 'ignored', orderId: '727' }],
    });
  });

  it('is a genuine delivery of the given sale', () => {
    const sample = signedSample(SECRET, { orderId: '727', email: 'b@example.com', sku: 'KEYS-2' });
    expect(receiveSigned(sample)).toMatchObject({
      entries: [
        {
          order: {
            orderId: '727',
            customer: { email: 'b@example.com' },
            lines: [{ candidates: [{ kind: 'sku', value: 'KEYS-2' }, {}] }],
          },
        },
      ],
    });
  });
});

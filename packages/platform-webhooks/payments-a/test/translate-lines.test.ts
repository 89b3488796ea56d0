import type { SampleMembers } from '@handover/platform-contract';
import { describe, expect, it } from 'vitest';
import { sampleLineItem } from '../src/testing.ts';
import { orderOf } from './receive-body.ts';

const UUID = '0198f3c1-8a50-7e5e-9f5c-2f1d3a4b5c6d';
const EMBEDDED = { data: [sampleLineItem({}, { lookup_key: 'EMBEDDED' })], has_more: false };

function candidatesOf(session: SampleMembers): readonly (readonly string[])[] {
  return orderOf(session).lines.map(({ candidates }) =>
    candidates.map(({ kind, value }) => `${kind} ${value}`),
  );
}

function embed(...items: readonly SampleMembers[]): SampleMembers {
  return { metadata: {}, line_items: { data: items, has_more: false } };
}

describe('the products of a session of payments-a', () => {
  const ALL = { sku: 'A', skus: 'B, C', product_id: UUID, productId: 'P' };

  it.each<[string, SampleMembers, readonly string[]]>([
    ['metadata.sku', ALL, ['sku A']],
    ['metadata.skus', { ...ALL, sku: undefined }, ['sku B', 'sku C']],
    ['metadata.product_id', { ...ALL, sku: '', skus: ' , ,' }, [`sku ${UUID}`]],
    ['metadata.productId', { productId: 'P' }, ['sku P']],
    ['its embedded lines', {}, ['sku EMBEDDED']],
    ['its embedded lines, where the metadata holds zeros', { sku: '0', skus: '0,0' }, ['sku EMBEDDED']],
  ])('are named by %s first', (_case, metadata, expected) => {
    expect(candidatesOf({ metadata, line_items: EMBEDDED }).map(([first]) => first)).toEqual(expected);
  });

  it('are one line for metadata.sku, even with a comma in it', () => {
    expect(candidatesOf({ metadata: { sku: ' PAD-1, gold ' } })).toEqual([['sku PAD-1, gold']]);
  });

  it('are a line for each of metadata.skus, the whole total on the first', () => {
    const { lines, total } = orderOf({ amount_total: 9800, metadata: { skus: ' PAD-1 ,KEYS-2,, BASS-3' } });
    expect(total).toBe('98.00');
    expect(lines).toEqual([
      { candidates: [{ kind: 'sku', value: 'PAD-1' }], quantity: 1, amount: '98.00', title: null },
      { candidates: [{ kind: 'sku', value: 'KEYS-2' }], quantity: 1, amount: '0.00', title: null },
      { candidates: [{ kind: 'sku', value: 'BASS-3' }], quantity: 1, amount: '0.00', title: null },
    ]);
  });

  it('have an unknown price where there is no total', () => {
    const { lines } = orderOf({ amount_total: null, metadata: { skus: 'A,B' } });
    expect(lines.map(({ amount }) => amount)).toEqual([null, null]);
  });

  it('are never named by text that the buyer can write into a URL', () => {
    const session = { client_reference_id: 'PAD-1', metadata: {} };
    const order = orderOf(session);
    expect(order.lines).toEqual([]);
    expect(order.notes).toEqual([
      "The session names no product: put the product's SKU into its metadata as sku.",
    ]);
    expect(JSON.stringify(orderOf({ ...session, line_items: EMBEDDED }))).not.toContain('PAD-1');
  });

  it.each([null, 'PAD-1', ['PAD-1'], { SKU: 'PAD-1' }])('is unknown with metadata %j', (metadata) => {
    expect(orderOf({ metadata }).lines).toEqual([]);
  });
});

describe('an embedded line of payments-a', () => {
  const product = { id: 'prod_1', object: 'product', metadata: { sku: 'OF-PRODUCT' } };

  it.each<[string, SampleMembers, readonly string[]]>([
    ['only ids', {}, ['vendor-id price_1', 'vendor-id prod_1']],
    ['a lookup key', { lookup_key: 'KEY' }, ['sku KEY', 'vendor-id price_1', 'vendor-id prod_1']],
    [
      'all there is',
      { lookup_key: 'KEY', metadata: { sku: 'OF-PRICE' }, product },
      ['sku KEY', 'sku OF-PRICE', 'sku OF-PRODUCT', 'vendor-id price_1', 'vendor-id prod_1'],
    ],
    ['an expanded product', { product }, ['sku OF-PRODUCT', 'vendor-id price_1', 'vendor-id prod_1']],
    ['no product', { product: null }, ['vendor-id price_1']],
    [
      'a deleted product',
      { product: { id: 'prod_1', deleted: true } },
      ['vendor-id price_1', 'vendor-id prod_1'],
    ],
  ])('with %s offers it in this order', (_case, price, expected) => {
    expect(candidatesOf(embed(sampleLineItem({}, price)))).toEqual([expected]);
  });

  it('without a price offers nothing', () => {
    expect(candidatesOf(embed(sampleLineItem({ price: null })))).toEqual([[]]);
  });

  it('has its own amount, quantity and title', () => {
    const items = [
      sampleLineItem({ amount_total: 9800, quantity: 2 }),
      sampleLineItem({ amount_total: 0, description: 'Bonus' }),
    ];
    const { lines, notes } = orderOf({ amount_total: 9800, ...embed(...items) });
    expect(lines).toMatchObject([
      { amount: '98.00', quantity: 2, title: 'Pads' },
      { amount: '0.00', quantity: 1, title: 'Bonus' },
    ]);
    expect(notes).toEqual([]);
  });

  it('is read in the currency of the session', () => {
    const order = orderOf({
      currency: 'jpy',
      amount_total: 980,
      ...embed(sampleLineItem({ amount_total: 980 })),
    });
    expect(order.lines[0]?.amount).toBe('980');
  });

  it.each([
    ['without an amount', { amount_total: null }, ['Line 1: no readable amount.']],
    ['of an unreadable quantity', { quantity: 'many' }, ['Line 1: no readable quantity; taken as 1.']],
    ['of no quantity', { quantity: null }, []],
  ])('%s is kept, with a note on odd values', (_case, item, notes) => {
    const order = orderOf(embed(sampleLineItem(item)));
    expect(order.lines).toHaveLength(1);
    expect(order.notes).toEqual(notes);
  });

  it('has a note where the vendor says that more follow', () => {
    const order = orderOf({ metadata: {}, line_items: { data: [sampleLineItem()], has_more: true } });
    expect(order.notes).toEqual(['The session has more lines than the event lists.']);
  });
});

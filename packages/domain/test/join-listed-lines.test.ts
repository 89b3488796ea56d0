import { makeLine } from '@handover/testkit';
import { describe, expect, it } from 'vitest';
import { listOrderCandidates } from '../src/fulfilment/decide-lines.ts';
import { decide, outcomes, PADS } from './decide-order.ts';

const list = (...names: readonly string[]) =>
  names.map((name, at) => makeLine(name, { amount: at === 0 ? '9.00' : '0', listedIn: names.join(', ') }));

it('a listed text that nobody knows stays as many lines as it has pieces', () => {
  const plan = decide({ lines: list('pads', 'nobody-knows') });
  expect(outcomes(plan)).toEqual(['delivered', 'unmatched']);
  expect(plan.delivery.lines.map(({ sku }) => sku)).toEqual(['pads', 'nobody-knows']);
});

it('a text that is one name takes the place of its pieces alone', () => {
  const mapping = { sku: 'pads, deluxe', platform: null, productId: 'p-keys' };
  const lines = [...list('pads', 'deluxe'), makeLine('pads', { amount: '49.00' })];
  const plan = decide({ lines }, { mappings: [mapping] });
  expect(plan.delivery.lines.map(({ sku, outcome }) => [sku, outcome])).toEqual([
    ['pads, deluxe', 'delivered'],
    ['pads', 'delivered'],
  ]);
  expect(plan.purchases.map(({ productId, amount }) => [productId, amount])).toEqual([
    ['p-keys', '9.00'],
    ['p-pads', '49.00'],
  ]);
});

it('a mapping of another platform joins nothing', () => {
  const mapping = { sku: 'pads, keys', platform: 'cart-a', productId: 'p-keys' } as const;
  expect(outcomes(decide({ lines: list('pads', 'keys') }, { mappings: [mapping] }))).toEqual([
    'delivered',
    'delivered',
  ]);
});

describe('a text that is the slug of a product', () => {
  const DELUXE = { ...PADS, id: 'p-deluxe', slug: 'pads-deluxe' };

  it('is one line where a piece of it means nothing', () => {
    const plan = decide({ lines: list('pads', 'deluxe') }, { products: [PADS, DELUXE] });
    expect(plan.delivery.lines).toMatchObject([{ sku: 'pads, deluxe', productId: 'p-deluxe' }]);
    expect(plan.purchases).toMatchObject([{ productId: 'p-deluxe', amount: '9.00' }]);
  });

  it('is as many as it has pieces where each of them means something, if only that it is not ours', () => {
    const mappings = [{ sku: 'deluxe', platform: null, productId: null }];
    const plan = decide({ lines: list('pads', 'deluxe') }, { products: [PADS, DELUXE], mappings });
    expect(outcomes(plan)).toEqual(['delivered', 'not-ours']);
  });

  it('is one line beside those that are listed in no text, and in another', () => {
    const lines = [makeLine('pads'), ...list('pads', 'deluxe'), ...list('pads', 'pads')];
    const plan = decide({ lines }, { products: [PADS, DELUXE] });
    expect(plan.delivery.lines.map(({ sku }) => sku)).toEqual(['pads', 'pads, deluxe', 'pads', 'pads']);
  });
});

it('the names of an order are those of its lines, and the texts that list several', () => {
  const named = listOrderCandidates({ lines: [makeLine('keys'), ...list('pads', 'deluxe')] });
  expect(named.map(({ value }) => value)).toEqual(['keys', 'pads', 'deluxe', 'pads, deluxe']);
  expect(listOrderCandidates({ lines: [makeLine('keys')] })).toEqual([{ kind: 'sku', value: 'keys' }]);
});

it('a mapping of the order’s platform joins as one for all does', () => {
  const mapping = { sku: 'pads, keys', platform: 'storefront-a', productId: 'p-keys' } as const;
  const plan = decide({ lines: list('pads', 'keys') }, { mappings: [mapping] });
  expect(plan.delivery.lines).toMatchObject([{ sku: 'pads, keys', productId: 'p-keys' }]);
});

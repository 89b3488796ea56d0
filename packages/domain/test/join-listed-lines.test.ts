import { makeLine } from '@handover/domain/testing';
import { expect, it } from 'vitest';
import { decide, outcomes } from './decide-order.ts';

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

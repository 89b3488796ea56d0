import { makeLine } from '@handover/testkit';
import { describe, expect, it } from 'vitest';
import { bought, decide } from './decide-order.ts';

const pads = { candidate: 'sku', sku: 'pads' } as const;
const purchaseAliases = (...names: readonly (typeof pads | { candidate: 'vendor-id'; sku: string })[]) => ({
  ...bought('p-pads', 'sent'),
  purchaseAliases: names,
});
/** By now, `pads` stands for Keys. */
const MOVED = [{ sku: 'pads', platform: null, productId: 'p-keys' }] as const;

describe('what a purchase was called when it was delivered', () => {
  it('is written down with it, normalized, under the best name of its line', () => {
    const line = { ...makeLine(' PADS '), candidates: [...makeLine(' PADS ').candidates, SECOND] };
    const plan = decide({ lines: [line] });
    expect(plan.purchaseAliases).toEqual([
      { purchaseId: plan.purchases[0]?.id, candidate: 'sku', sku: 'pads' },
    ]);
  });

  it('is written down once for each name, by key', () => {
    const lines = [makeLine('p-pads'), makeLine('Pads'), makeLine('pads')];
    expect(decide({ lines }).purchaseAliases.map(({ sku }) => sku)).toEqual(['p-pads', 'pads']);
    expect(decide({ lines: lines.toReversed() }).purchaseAliases.map(({ sku }) => sku)).toEqual([
      'p-pads',
      'pads',
    ]);
  });

  it('is written down for a purchase made before, unless it is known', () => {
    expect(decide({}, { purchases: [bought('p-pads', 'sent')] }).purchaseAliases).toEqual([
      { purchaseId: 'purchase of p-pads', candidate: 'sku', sku: 'pads' },
    ]);
    expect(decide({}, { purchases: [purchaseAliases(pads)] }).purchaseAliases).toEqual([]);
    const asVendorId = { candidate: 'vendor-id', sku: 'pads' } as const;
    expect(decide({}, { purchases: [purchaseAliases(asVendorId)] }).purchaseAliases).toHaveLength(1);
  });

  it('is never written down for a line that delivered nothing', () => {
    expect(decide({ lines: [makeLine('drums'), makeLine('nobody')] }).purchaseAliases).toEqual([]);
  });

  it('keeps it delivered where the name stands for another product by now', () => {
    const plan = decide({}, { mappings: MOVED, purchases: [purchaseAliases(pads)] });
    expect(plan.purchases.map(({ productId }) => productId)).toEqual(['p-keys']);
    expect(plan.delivery.lines).toMatchObject([
      { position: 0, outcome: 'delivered', productId: 'p-keys' },
      {
        position: 1,
        sku: 'PADS',
        outcome: 'already-delivered',
        productId: 'p-pads',
        purchaseId: 'purchase of p-pads',
      },
    ]);
  });

  it('is written down for the new product, too, under which the name now stands', () => {
    const plan = decide({}, { mappings: MOVED, purchases: [purchaseAliases(pads)] });
    expect(plan.purchaseAliases).toEqual([{ purchaseId: plan.purchases[0]?.id, ...pads }]);
  });

  it('keeps each of several delivered, behind the lines of the order', () => {
    const drums = { ...bought('p-drums', 'sent'), purchaseAliases: [pads] };
    const { delivery } = decide({}, { mappings: MOVED, purchases: [purchaseAliases(pads), drums] });
    expect(delivery.lines.map(({ position, productId }) => [position, productId])).toEqual([
      [0, 'p-keys'],
      [1, 'p-pads'],
      [2, 'p-drums'],
    ]);
  });

  it('keeps it delivered where the name means nothing any more, or is not ours', () => {
    const order = { lines: [makeLine('gone')] };
    const purchases = [purchaseAliases({ candidate: 'sku', sku: 'gone' } as never)];
    const lines = [{ outcome: 'already-delivered', productId: 'p-pads' }];
    expect(decide(order, { purchases }).delivery).toMatchObject({ status: 'success', lines });
    const mappings = [{ sku: 'gone', platform: null, productId: null }];
    expect(decide(order, { purchases, mappings }).delivery).toMatchObject({ status: 'success', lines });
  });

  it('keeps nothing delivered for a line that has another name, or none', () => {
    const title = { candidates: [], quantity: 1, amount: null, title: 'pads' };
    for (const line of [title, makeLine('other')]) {
      const { delivery } = decide({ lines: [line] }, { purchases: [purchaseAliases(pads)] });
      expect(delivery.lines.map(({ outcome }) => outcome)).toEqual(['unmatched']);
    }
  });
});

const SECOND = { kind: 'sku', value: 'second-best' } as const;

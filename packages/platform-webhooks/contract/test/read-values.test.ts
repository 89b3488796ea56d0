import { describe, expect, it } from 'vitest';
import { listCandidates, readQuantity } from '../src/index.ts';

describe('a quantity', () => {
  it.each([
    ['1', 1],
    ['12', 12],
    ['2.0', 2],
    ['2e1', 20],
    ['0', 0],
    ['-1', null],
    ['1.5', null],
    ['', null],
    ['two', null],
    ['99999999999999999999', null],
    [undefined, null],
  ])('written as %j is %j', (text, expected) => {
    expect(readQuantity(text)).toBe(expected);
  });
});

describe('the candidates of a line', () => {
  it('are the merchant’s texts first, and never a placeholder', () => {
    const candidates = listCandidates({ skus: [undefined, '', '0', 'A'], vendorIds: ['0', '8', undefined] });
    expect(candidates).toEqual([
      { kind: 'sku', value: 'A' },
      { kind: 'vendor-id', value: '8' },
    ]);
  });
});

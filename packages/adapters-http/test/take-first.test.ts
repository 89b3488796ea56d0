import { countBytes } from '@handover/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { takeFirst } from '../src/customer/record-transfers.ts';

test('takeFirst splits ranges without loss, in order', () => {
  const range = fc
    .tuple(fc.nat({ max: 50 }), fc.integer({ min: 1, max: 9 }))
    .map(([start, length]) => ({ start, end: start + length }));
  fc.assert(
    fc.property(fc.array(range, { maxLength: 5 }), fc.nat({ max: 50 }), (ranges, bytes) => {
      const { first, rest } = takeFirst(ranges, bytes);
      expect(countBytes(first)).toBe(Math.min(bytes, countBytes(ranges)));
      expect(listBytes([...first, ...rest])).toEqual(listBytes(ranges));
    }),
  );
});

function listBytes(ranges: readonly { readonly start: number; readonly end: number }[]): readonly number[] {
  return ranges.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, at) => start + at));
}

import { type ByteRange, countBytes, mergeRanges } from '@handover/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const ranges = fc.array(
  fc
    .tuple(fc.nat({ max: 40 }), fc.nat({ max: 12 }))
    .map(([start, length]) => ({ start, end: start + length })),
  { maxLength: 12 },
);

function bytesOf(given: readonly ByteRange[]): ReadonlySet<number> {
  const bytes = new Set<number>();
  for (const { start, end } of given) for (let at = start; at < end; at += 1) bytes.add(at);
  return bytes;
}

describe('ranges that are united', () => {
  it('hold every byte of either once, in order, and touch nowhere', () => {
    fc.assert(
      fc.property(ranges, ranges, (one, other) => {
        const united = mergeRanges(one, other);
        expect(bytesOf(united)).toEqual(bytesOf([...one, ...other].sort((a, b) => a.start - b.start)));
        expect(countBytes(united)).toBe(bytesOf([...one, ...other]).size);
        for (let at = 1; at < united.length; at += 1) {
          expect(united[at]?.start).toBeGreaterThan(united[at - 1]?.end ?? 0);
        }
        for (const { start, end } of united) expect(start).toBeLessThan(end);
      }),
    );
  });

  it('become one when what is missing between them comes', () => {
    const broken = mergeRanges([], [{ start: 0, end: 50 }]);
    const resumed = mergeRanges(broken, [{ start: 60, end: 100 }]);
    expect(resumed).toHaveLength(2);
    expect(mergeRanges(resumed, [{ start: 45, end: 60 }])).toEqual([{ start: 0, end: 100 }]);
  });
});

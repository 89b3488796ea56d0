import { chooseKept, MAX_REJECTED, MAX_REJECTED_BYTES, type RejectedSize } from '@handover/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const rejected = (isGenuine: boolean) =>
  fc.record({
    source: fc.integer({ min: 0, max: 200 }).map((number) => `network ${number}`),
    size: fc.integer({ min: 0, max: 256 * 1024 }),
    isGenuine: fc.constant(isGenuine),
  });
const all = fc.array(fc.oneof(rejected(true), rejected(false)), { maxLength: 3 * MAX_REJECTED });
const numbered = (rows: readonly Omit<RejectedSize, 'id'>[]): readonly RejectedSize[] =>
  rows.map((row, at) => ({ ...row, id: String(at).padStart(4, '0') }));

describe('the rejected requests that are kept', () => {
  it('are within the limits, and are the same genuine ones with and without forged ones', () => {
    fc.assert(
      fc.property(all.map(numbered), (rows) => {
        const chosen = chooseKept(rows);
        const kept = rows.filter(({ id }) => chosen.has(id));
        expect(kept.length).toBeLessThanOrEqual(MAX_REJECTED);
        expect(kept.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(MAX_REJECTED_BYTES);
        const genuine = rows.filter(({ isGenuine }) => isGenuine);
        expect(new Set(kept.filter(({ isGenuine }) => isGenuine).map(({ id }) => id))).toEqual(
          chooseKept(genuine),
        );
      }),
    );
  });
});

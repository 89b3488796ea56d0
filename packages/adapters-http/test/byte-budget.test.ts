import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createByteBudget } from '../src/requests/request-bodies.ts';

test('the shares of a byte budget never exceed it, and are all released', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(9), fc.nat(200_000), fc.boolean())), (steps) => {
      const max = 500_000;
      const budget = createByteBudget(max);
      const shares = Array.from({ length: 10 }, (_, at) => ({ share: budget.open(`${at % 3}`), held: 0 }));
      for (const [at, bytes, releases] of steps) {
        const one = shares[at];
        if (!one) continue;
        if (releases) {
          one.share.release();
          one.held = 0;
        } else if (one.share.grow(bytes)) one.held += bytes;
        expect(shares.reduce((sum, { held }) => sum + held, 0)).toBeLessThanOrEqual(max);
      }
      for (const { share } of shares) share.release();
      expect(budget.open('0').grow(0.75 * max)).toBe(true);
    }),
  );
});

test('one network does not fill a byte budget, however small its bodies are', () => {
  const budget = createByteBudget(64_000_000);
  const flood = Array.from({ length: 2_000 }, () => budget.open('flood').grow(60_000));
  expect(flood.at(-1)).toBe(false);
  expect(budget.open('flood').grow(5)).toBe(false);
  const order = budget.open('shop');
  expect([order.grow(60_000), order.grow(5_000_000)]).toEqual([true, false]);
});

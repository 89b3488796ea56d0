import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** The only source of random numbers: the same seed draws the same numbers on every machine. */
export interface Random {
  /** A whole number from 0 up to, but not including, `limit`. */
  below(limit: number): number;
  /** True in this many of a thousand cases. */
  perMille(share: number): boolean;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
}

export function createRandom(seed: number): Random {
  const generator = xoroshiro128plus(seed);
  const below = (limit: number): number => uniformInt(generator, 0, limit - 1);
  return {
    below,
    perMille: (share) => below(1000) < share,
    pick: (items) => items[below(items.length)] ?? items[0],
  };
}

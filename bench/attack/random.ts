/** The same numbers for the same seed (mulberry32), so that a request can be made again. */
export interface Random {
  /** From 0 up to, but not including, `end`. */
  below(end: number): number;
  /** True in one of this many cases. */
  oneIn(many: number): boolean;
  pick<T>(from: readonly T[]): T;
}

export function createRandom(seed: number): Random {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return {
    below,
    oneIn: (many) => below(many) === 0,
    pick: <T>(from: readonly T[]) => {
      if (from.length === 0) throw new RangeError('There is nothing to pick from.');
      return from[below(from.length)] as T;
    },
  };
}

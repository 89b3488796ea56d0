/** Bytes from `start` up to, but not including, `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * How many ranges are stored for one file. A client that requests very many separate ranges must not make a row grow without
 * limit: a range beyond this number is not stored, so its bytes count as not sent.
 */
export const MAX_PIECES = 1000;

/** The union of both lists, in order; ranges that overlap or touch become one. */
export function mergeRanges(ranges: readonly ByteRange[], added: readonly ByteRange[]): readonly ByteRange[] {
  const united: ByteRange[] = [];
  for (const range of [...ranges, ...added].sort((one, other) => one.start - other.start)) {
    if (range.start >= range.end) continue;
    const last = united.at(-1);
    if (!last || last.end < range.start) united.push(range);
    else united[united.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
  }
  return united;
}

/** The sum of the lengths. Bytes in two ranges count twice: see {@link mergeRanges}. */
export function countBytes(ranges: readonly ByteRange[]): number {
  return ranges.reduce((bytes, { start, end }) => bytes + end - start, 0);
}

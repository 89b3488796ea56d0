/** Bytes from `start` up to, but not including, `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Into how many pieces the bytes that went out of one file may fall. A reader who skips about on purpose must not make
 * a row grow without end: what would make more pieces than this is not kept, so a file never counts as more than it is.
 */
export const MAX_PIECES = 1000;

/** The bytes of either, in order, with no two ranges that touch. */
export function uniteRanges(ranges: readonly ByteRange[], added: readonly ByteRange[]): readonly ByteRange[] {
  const united: ByteRange[] = [];
  for (const range of [...ranges, ...added].sort((one, other) => one.start - other.start)) {
    if (range.start >= range.end) continue;
    const last = united.at(-1);
    if (!last || last.end < range.start) united.push(range);
    else united[united.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
  }
  return united;
}

/** How many bytes the ranges hold; those in two of them count twice, so unite them first. */
export function countBytes(ranges: readonly ByteRange[]): number {
  return ranges.reduce((bytes, { start, end }) => bytes + end - start, 0);
}

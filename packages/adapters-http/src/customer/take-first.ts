import type { ByteRange } from '@handover/domain';

/** Splits ranges, in order, into the first `bytes` bytes and the rest. */
export function takeFirst(
  ranges: readonly ByteRange[],
  bytes: number,
): { readonly first: readonly ByteRange[]; readonly rest: readonly ByteRange[] } {
  const first: ByteRange[] = [];
  const rest: ByteRange[] = [];
  let left = bytes;
  for (const { start, end } of ranges) {
    const cut = Math.min(end, start + left);
    left -= cut - start;
    if (start < cut) first.push({ start, end: cut });
    if (cut < end) rest.push({ start: cut, end });
  }
  return { first, rest };
}

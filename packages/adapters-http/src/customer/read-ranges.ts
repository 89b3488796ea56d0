import { type ByteRange, uniteRanges } from '@handover/domain';

/** The most ranges per request; real clients ask for far fewer. */
export const MAX_PARTS = 16;

/**
 * Parses a `Range` header (RFC 9110, section 14). `whole`: the header is ignored, because it is missing,
 * malformed or not in bytes. Otherwise the ranges in the requested order, with overlapping or adjacent ones
 * merged. `unsatisfiable`: the file contains none of them, or there are too many.
 */
export function readRanges(
  header: string | undefined,
  size: number,
): 'whole' | 'unsatisfiable' | readonly ByteRange[] {
  const specs =
    /^bytes=(.*)$/i
      .exec(header ?? '')?.[1]
      ?.split(',')
      .map(trimBlanks) ?? [];
  const asked: ByteRange[] = [];
  let isEmptyTail = false;
  let count = 0;
  for (const spec of specs) {
    // A list can have empty elements (section 5.6.1.2).
    if (spec === '') continue;
    const range = readSpec(spec, size);
    if (range === null) return 'whole';
    count += 1;
    if (range.start < range.end) asked.push(range);
    // The suffix of an empty file is satisfiable, but `Content-Range` cannot express it.
    else if (range.start === 0 && size === 0 && /^-0*[1-9]/.test(spec)) isEmptyTail = true;
  }
  if (count === 0 || isEmptyTail) return 'whole';
  const parts = inOrderOf(asked);
  return parts.length === 0 || parts.length > MAX_PARTS ? 'unsatisfiable' : parts;
}

/** Null: malformed. Empty: outside the file. */
function readSpec(spec: string, size: number): ByteRange | null {
  const [, first, last, suffix] = /^(?:([0-9]+)-([0-9]*)|-([0-9]+))$/.exec(spec) ?? [];
  if (suffix !== undefined) return { start: Math.max(0, size - Number(suffix)), end: size };
  if (first === undefined || last === undefined) return null;
  // BigInt, because numbers beyond the safe integers cannot be compared exactly.
  if (last !== '' && BigInt(last) < BigInt(first)) return null;
  return { start: Number(first), end: last === '' ? size : Math.min(size, Number(last) + 1) };
}

function inOrderOf(asked: readonly ByteRange[]): readonly ByteRange[] {
  const rank = ({ start, end }: ByteRange) =>
    asked.findIndex((range) => range.start >= start && range.end <= end);
  return [...uniteRanges([], asked)].sort((one, other) => rank(one) - rank(other));
}

function trimBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (isBlank(text.charAt(start))) start += 1;
  while (end > start && isBlank(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function isBlank(sign: string): boolean {
  return sign === ' ' || sign === '\t';
}

import { type ByteRange, mergeRanges, type ProductFile } from '@handover/domain';

/** The kind of response to a request for a file. */
export type FileAnswer =
  | { readonly kind: 'whole' | 'not-modified' | 'precondition-failed' | 'unsatisfiable' }
  /** One range, or several as a multipart response. */
  | { readonly kind: 'ranges'; readonly ranges: readonly ByteRange[] };

export interface FileRequest {
  readonly method: string;
  readonly headers: {
    readonly range?: string | undefined;
    readonly 'if-range'?: string | string[] | undefined;
    readonly 'if-match'?: string | undefined;
    readonly 'if-none-match'?: string | undefined;
  };
}

/** A strong entity tag: equal hashes mean equal bytes. */
export function entityTag({ sha256 }: Pick<ProductFile, 'sha256'>): string {
  return `"${sha256}"`;
}

/**
 * Evaluates conditions and ranges in the order of RFC 9110, section 13.2.2. Files have no modification
 * date, so date conditions are ignored, and a date in `If-Range` never matches.
 */
export function evaluateFileRequest({ method, headers }: FileRequest, file: ProductFile): FileAnswer {
  const tag = entityTag(file);
  const ifMatch = headers['if-match'];
  if (ifMatch !== undefined && !names(ifMatch, tag)) return { kind: 'precondition-failed' };
  const ifNoneMatch = headers['if-none-match'];
  // `If-None-Match` uses the weak comparison (section 13.1.2), so a weak tag matches too.
  if (ifNoneMatch !== undefined && names(ifNoneMatch, tag, `W/${tag}`)) return { kind: 'not-modified' };
  // RFC 9110 defines ranges for GET only.
  if (method !== 'GET') return { kind: 'whole' };
  const ifRange = headers['if-range'];
  if (ifRange !== undefined && ifRange !== tag) return { kind: 'whole' };
  const ranges = readRanges(headers.range, file.size);
  return typeof ranges === 'string' ? { kind: ranges } : { kind: 'ranges', ranges };
}

/**
 * Whether the list contains one of these entity tags. A tag may contain commas, so splitting at commas
 * would be wrong.
 */
function names(list: string, ...tags: readonly string[]): boolean {
  if (list.trim() === '*') return true;
  const listed: readonly string[] = list.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return listed.some((tag) => tags.includes(tag));
}

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
  const parts = mergeRanges([], asked);
  return parts.length === 0 || parts.length > MAX_PARTS ? 'unsatisfiable' : inOrderOf(parts, asked);
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

/** Few parts only: each is looked for among all ranges that were asked for. */
function inOrderOf(parts: readonly ByteRange[], asked: readonly ByteRange[]): readonly ByteRange[] {
  const rank = ({ start, end }: ByteRange) =>
    asked.findIndex((range) => range.start >= start && range.end <= end);
  return [...parts].sort((one, other) => rank(one) - rank(other));
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

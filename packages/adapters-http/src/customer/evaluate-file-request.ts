import type { ByteRange, ProductFile } from '@handover/domain';
import { readRanges } from './read-ranges.ts';

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

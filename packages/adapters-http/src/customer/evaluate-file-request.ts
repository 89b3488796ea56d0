import type { ByteRange, ProductFile } from '@handover/domain';
import { readRanges } from './read-ranges.ts';

/** What a request for a file is to be answered with. */
export type FileAnswer =
  | { readonly kind: 'whole' | 'not-modified' | 'precondition-failed' | 'unsatisfiable' }
  /** One range, or several to be sent as parts of one answer. */
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

/** A strong one: the same hash is the same bytes. */
export function entityTag({ sha256 }: Pick<ProductFile, 'sha256'>): string {
  return `"${sha256}"`;
}

/**
 * Conditions and ranges in the order of RFC 9110, section 13.2.2. Files have no date of modification, so conditions on
 * one are ignored, and a date in `If-Range` never matches.
 */
export function evaluateFileRequest({ method, headers }: FileRequest, file: ProductFile): FileAnswer {
  const tag = entityTag(file);
  const ifMatch = headers['if-match'];
  if (ifMatch !== undefined && !names(ifMatch, tag)) return { kind: 'precondition-failed' };
  const ifNoneMatch = headers['if-none-match'];
  // Compared weakly, as section 13.1.2 has it: here a mark of weakness does not matter.
  if (ifNoneMatch !== undefined && names(ifNoneMatch, tag, `W/${tag}`)) return { kind: 'not-modified' };
  // Ranges are defined for GET alone.
  if (method !== 'GET') return { kind: 'whole' };
  const ifRange = headers['if-range'];
  if (ifRange !== undefined && ifRange !== tag) return { kind: 'whole' };
  const ranges = readRanges(headers.range, file.size);
  return typeof ranges === 'string' ? { kind: ranges } : { kind: 'ranges', ranges };
}

/** Whether the list of entity tags holds one of these. A tag may hold commas, so it is no use to split at them. */
function names(list: string, ...tags: readonly string[]): boolean {
  if (list.trim() === '*') return true;
  const listed: readonly string[] = list.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return listed.some((tag) => tags.includes(tag));
}

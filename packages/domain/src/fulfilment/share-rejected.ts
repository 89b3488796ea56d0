import { MAX_REJECTED } from '../model/rejected-delivery.ts';

/** The maximum number of rejected requests of one source that are kept for an organisation and platform. */
export const MAX_REJECTED_PER_SOURCE = 50;
/** The total size of their bodies, in bytes. */
export const MAX_REJECTED_BYTES_PER_SOURCE = 2 * 1024 * 1024;
/** The total size of the bodies of all sources, in bytes. */
export const MAX_REJECTED_BYTES = 8 * 1024 * 1024;

/** The facts that decide which rejected requests are kept. Newer requests have greater ids. */
export interface RejectedSize {
  readonly id: string;
  readonly source: string;
  readonly size: number;
  /** Whether it is signed with a former secret of the organisation. */
  readonly isGenuine: boolean;
}

/**
 * Chooses which rejected requests of one organisation and platform are kept. A source keeps its newest, up to its limits.
 * If all sources together exceed theirs, requests of the source that uses most of its limit are removed first, and among
 * equals the oldest. So a source that sends junk displaces its own requests, never those of a source that has sent less.
 * Genuine requests come first and are counted separately: no number of forged ones, from any source, displaces them.
 */
export function chooseKept(rejected: readonly RejectedSize[]): ReadonlySet<string> {
  const fairest = rejected
    .map((row) => ({ ...row, share: shareOf(row, rejected) }))
    .sort((a, b) => Number(b.isGenuine) - Number(a.isGenuine) || a.share - b.share || (a.id > b.id ? -1 : 1));
  let bytes = 0;
  const kept = fairest.filter(({ share, size }, place) => {
    bytes += size;
    return share <= WHOLE_SHARE && place < MAX_REJECTED && bytes <= MAX_REJECTED_BYTES;
  });
  return new Set(kept.map(({ id }) => id));
}

/** The whole allowance of a source. Requests and bytes are counted in one unit, so that shares are whole numbers. */
export const WHOLE_SHARE = MAX_REJECTED_PER_SOURCE * MAX_REJECTED_BYTES_PER_SOURCE;

/** The share of its source's allowance that a request and all newer ones of its kind use. */
function shareOf({ id, source, isGenuine }: RejectedSize, rejected: readonly RejectedSize[]): number {
  const since = rejected.filter(
    (row) => row.source === source && row.isGenuine === isGenuine && row.id >= id,
  );
  const bytes = since.reduce((sum, { size }) => sum + size, 0);
  return Math.max(since.length * MAX_REJECTED_BYTES_PER_SOURCE, bytes * MAX_REJECTED_PER_SOURCE);
}

import type { ByteRange } from './byte-ranges.ts';

/** One download by a buyer: it begins with the first byte of a file, and further requests of its link join it. */
export interface DownloadSessionRow {
  readonly id: string;
  readonly startedAt: Date;
  /** When the latest byte went out. */
  readonly lastByteAt: Date;
  /** Bytes that went out, over all files and requests; those that went out twice count twice. */
  readonly bytes: number;
  readonly completedAt: Date | null;
  readonly purchaseId: string;
  readonly orderId: string | null;
  readonly productName: string;
  readonly version: string | null;
  readonly customerName: string;
  readonly customerEmail: string;
  /** Which program began it; null for sessions from before that was recorded. */
  readonly client: DownloadClient | null;
  /** Files of which at least a byte went out. */
  readonly filesBegun: number;
  /** Files of which every byte went out. */
  readonly filesWhole: number;
}

/** A companion is any program that is no browser: a download manager, curl, a downloader of the shop's own. */
export type DownloadClient = 'browser' | 'companion';

/** How long after its latest byte a session is still joined by further requests of its link. */
export const SESSION_PAUSE_MS = 60 * 60 * 1000;

/** What went out of one file. An empty file has gone out whole with no ranges at all. */
export interface SentBytes {
  readonly version: string;
  readonly name: string;
  /** Of the whole file. */
  readonly size: number;
  readonly ranges: readonly ByteRange[];
}

/** A session and how much of each file it has sent. */
export interface DownloadProgress {
  readonly id: string;
  readonly startedAt: Date;
  readonly lastByteAt: Date;
  readonly completedAt: Date | null;
  /** Those of which something went out, by version and name. */
  readonly files: readonly FileProgress[];
}

/** How far one file has come in a session. Sizes are bytes. */
export interface FileProgress {
  readonly version: string;
  readonly name: string;
  readonly size: number;
  /** Distinct bytes that went out: what went out twice counts once. */
  readonly sent: number;
  readonly whole: boolean;
}

/** Every browser still names itself after the first one that everybody imitated; hardly another program does. */
export function judgeClient(userAgent: string | undefined): DownloadClient {
  return userAgent?.startsWith('Mozilla/') ? 'browser' : 'companion';
}

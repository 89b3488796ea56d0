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
  readonly orgId: string;
  readonly purchaseId: string;
  readonly orderId: string | null;
  /** As buyer and shop know it. */
  readonly orderNumber: string | null;
  /** Whether a test order bought it. */
  readonly isTest: boolean;
  readonly productId: string;
  readonly productName: string;
  readonly productSlug: string;
  readonly version: string | null;
  /** Whom the link was made for, also if the purchase's address was corrected since. */
  readonly customerName: string;
  readonly customerEmail: string;
  /** The purchase's customer now, if its address was corrected after the link was made; else null. */
  readonly movedTo: { readonly name: string; readonly email: string } | null;
  /** Which program began it; null for sessions from before that was recorded. */
  readonly client: DownloadClient | null;
  /** Files of which at least a byte went out. */
  readonly filesBegun: number;
  /** Files of which every byte went out. */
  readonly filesWhole: number;
  /** The first `LISTED_FILES` of those that were begun, by version and name. */
  readonly fileNames: readonly string[];
  /** Distinct bytes that went out of the files that were begun: what went out twice counts once. */
  readonly sent: number;
  /** How large those files are together. */
  readonly size: number;
  /** The link that it came through, as it is now. */
  readonly linkId: string;
  readonly linkExpiresAt: Date;
  readonly linkUsedAt: Date | null;
  readonly linkRevokedAt: Date | null;
}

/** A session as the report has it: very many are read at once, so only what it needs is. */
export type ReportedSession = Pick<
  DownloadSessionRow,
  | 'id'
  | 'startedAt'
  | 'lastByteAt'
  | 'bytes'
  | 'completedAt'
  | 'purchaseId'
  | 'orderId'
  | 'orderNumber'
  | 'productName'
  | 'version'
  | 'customerName'
  | 'customerEmail'
  | 'client'
  | 'filesBegun'
  | 'filesWhole'
>;

/** A session as a page of its own shows it. */
export interface DownloadSessionRecord extends DownloadSessionRow {
  /** By version and name. */
  readonly files: readonly FileProgress[];
  /** When the purchase was revoked; null while its links work. An older link may be revoked when the purchase is not. */
  readonly purchaseRevokedAt: Date | null;
}

/** How many names of files a list shows of a session. */
export const LISTED_FILES = 20;

/**
 * How far a download has come. `completed`: its downloader said that all arrived. `sent`: every file that was begun went
 * out whole. `running`: bytes are missing, and some went out just now. `interrupted`: bytes are missing, and none went out
 * for a while. `started`: it has begun, and nothing was seen of it since; the file store may send it by itself.
 */
export type DownloadState = 'completed' | 'sent' | 'running' | 'interrupted' | 'started';

/** A download of which no byte went out for so long has been interrupted. */
export const INTERRUPTED_AFTER_MS = 60 * 1000;

/** Says how far a download has come at `now`. */
export function classifyDownload(
  session: Pick<DownloadSessionRow, 'completedAt' | 'filesBegun' | 'filesWhole' | 'lastByteAt'>,
  now: Date,
): DownloadState {
  const { completedAt, filesBegun, filesWhole, lastByteAt } = session;
  if (completedAt !== null) return 'completed';
  if (filesBegun === 0) return 'started';
  if (filesWhole === filesBegun) return 'sent';
  return now.getTime() - lastByteAt.getTime() < INTERRUPTED_AFTER_MS ? 'running' : 'interrupted';
}

/** Which download sessions a person wants to see. */
export interface DownloadQuery {
  /** Of a buyer's name or address, or of a product; blank for all. See `searchWords`. */
  readonly text: string;
  /** Whether the text may be an order's number or id, too: members of an organisation are told nothing about sales. */
  readonly includesSales?: boolean;
  readonly state: DownloadState | null;
  /** When the states are those. */
  readonly now: Date;
  /** The id of the last session of the page before. One that is unknown, or another organisation's, ends the list. */
  readonly before: string | null;
  readonly limit: number;
}

/** A companion is any program that is not a browser: a download manager, curl, a downloader of the shop's own. */
export type DownloadClient = 'browser' | 'companion';

/** How long after its latest byte a session is still joined by further requests of its link. */
export const SESSION_PAUSE_MS = 60 * 60 * 1000;

/** A link has at most so many sessions. Further requests join its latest one, whatever has become of that. */
export const MAX_SESSIONS_PER_LINK = 100;

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
export function classifyClient(userAgent: string | undefined): DownloadClient {
  return userAgent?.startsWith('Mozilla/') ? 'browser' : 'companion';
}

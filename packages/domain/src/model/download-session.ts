import type { ByteRange } from './byte-ranges.ts';

/** One download by a buyer: it begins with the first request for a file, and further requests of the link join it. */
export interface DownloadSessionRow {
  readonly id: string;
  readonly startedAt: Date;
  /** When the latest byte was sent. */
  readonly lastByteAt: Date;
  /** Bytes that were sent, of all files and requests; bytes that were sent twice count twice. */
  readonly bytes: number;
  readonly completedAt: Date | null;
  readonly orgId: string;
  readonly purchaseId: string;
  readonly orderId: string | null;
  /** The number that buyer and shop know the order by. */
  readonly orderNumber: string | null;
  /** Whether its purchase is that of a test order. */
  readonly isTest: boolean;
  readonly productId: string;
  readonly productName: string;
  readonly productSlug: string;
  readonly version: string | null;
  /** The customer for whom the link was created, even if the address of the purchase was corrected since. */
  readonly customerName: string;
  readonly customerEmail: string;
  /** The current customer of the purchase, if its address was corrected after the link was created; else null. */
  readonly movedTo: { readonly name: string; readonly email: string } | null;
  /** The program that began it; null for sessions from before that was recorded. */
  readonly client: DownloadClient | null;
  /** The number of files that were begun. */
  readonly filesBegun: number;
  /** The number of files of which every byte was sent. */
  readonly filesWhole: number;
  /** The names of the first `LISTED_FILES` files that were begun, by version and name. */
  readonly fileNames: readonly string[];
  /** Distinct bytes that were sent of the files that were begun: bytes that were sent twice count once. */
  readonly sent: number;
  /** The size of those files, in bytes. */
  readonly size: number;
  /** The current state of its link. */
  readonly linkId: string;
  readonly linkExpiresAt: Date;
  readonly linkUsedAt: Date | null;
  readonly linkRevokedAt: Date | null;
}

/** A session in the report, which reads very many, and so only what it needs. */
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

/** A session as its own page shows it. */
export interface DownloadSessionRecord extends DownloadSessionRow {
  /** By version and name. */
  readonly files: readonly FileProgress[];
  /** When the purchase was revoked; null if it is not. An older link can be revoked while the purchase is not. */
  readonly purchaseRevokedAt: Date | null;
}

/** The number of file names that a list shows for a session. */
export const LISTED_FILES = 20;

/**
 * The progress of a download. `completed`: the client reported that all has arrived. `sent`: every file that was begun was
 * sent completely. `running`: bytes are missing, and some were sent just now. `interrupted`: bytes are missing, and none were
 * sent for a while. `started`: it has begun, and no byte was counted; the file store may send the bytes itself.
 */
export type DownloadState = 'completed' | 'sent' | 'running' | 'interrupted' | 'started';

/** A download counts as interrupted if no byte was sent for so long. */
export const INTERRUPTED_AFTER_MS = 60 * 1000;

/** Returns the state of a download at `now`. */
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
  /** Words of a buyer's name or address, or of a product; blank for all. See `searchWords`. */
  readonly text: string;
  /** Whether the text may also be an order's number or id, which members may not see. */
  readonly includesSales?: boolean;
  readonly state: DownloadState | null;
  /** The time at which `state` is evaluated. */
  readonly now: Date;
  /** The id of the last session of the previous page. If it is unknown or belongs to another organisation, the list is empty. */
  readonly before: string | null;
  readonly limit: number;
}

/** A companion is any program that is not a browser: a download manager, curl, a downloader of the shop's own. */
export type DownloadClient = 'browser' | 'companion';

/** For so long after its latest byte, further requests of the link join a session. */
export const SESSION_PAUSE_MS = 60 * 60 * 1000;

/** The maximum number of sessions of a link. Further requests join its latest one, even if it is completed. */
export const MAX_SESSIONS_PER_LINK = 100;

/** The bytes of one file that were sent. An empty file is sent completely without any range. */
export interface SentBytes {
  readonly version: string;
  readonly name: string;
  /** The size of the file, in bytes. */
  readonly size: number;
  readonly ranges: readonly ByteRange[];
}

/** A session, and how much of each file was sent. */
export interface DownloadProgress {
  readonly id: string;
  readonly startedAt: Date;
  readonly lastByteAt: Date;
  readonly completedAt: Date | null;
  /** The files that were begun, by version and name. */
  readonly files: readonly FileProgress[];
}

/** The progress of one file in a session, in bytes. */
export interface FileProgress {
  readonly version: string;
  readonly name: string;
  readonly size: number;
  /** Distinct bytes that were sent: bytes that were sent twice count once. */
  readonly sent: number;
  readonly whole: boolean;
}

/** Every browser's User-Agent begins with `Mozilla/`; hardly any other program's does. */
export function classifyClient(userAgent: string | undefined): DownloadClient {
  return userAgent?.startsWith('Mozilla/') ? 'browser' : 'companion';
}

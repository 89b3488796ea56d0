/** One download by a buyer: it begins with the first byte of a file, and further requests of its link join it. */
export interface DownloadSessionRow {
  readonly id: string;
  readonly startedAt: Date;
  /** When the latest byte went out. */
  readonly lastByteAt: Date;
  /** Bytes that went out, over all files and requests. */
  readonly bytes: number;
  readonly completedAt: Date | null;
  readonly purchaseId: string;
  readonly orderId: string | null;
  readonly productName: string;
  readonly version: string | null;
  readonly customerName: string;
  readonly customerEmail: string;
}

/** How long after its latest byte a session is still joined by further requests of its link. */
export const SESSION_PAUSE_MS = 60 * 60 * 1000;

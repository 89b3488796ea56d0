/** Download sessions that began on one day or in one period. */
export interface DownloadCounts {
  readonly downloads: number;
  /** Of these, how many were complete. */
  readonly finished: number;
  /** That went out; what went out twice counts twice. */
  readonly bytes: number;
}

/** What began on one day. */
export interface DownloadDay extends DownloadCounts {
  /** As 2026-03-31, UTC. */
  readonly day: string;
}

/** The downloads of a period, by day and in all. */
export interface DownloadMetrics {
  /** Days on which any began, oldest first. */
  readonly days: readonly DownloadDay[];
  /** Of the whole period, with the number of different customers. */
  readonly total: DownloadCounts & { readonly buyers: number };
}

/** One UTC day of an organisation. An order counts once, on the day it first came, however often it was sent. */
export interface DayMetrics {
  /** As 2026-03-31. */
  readonly day: string;
  readonly orders: number;
  readonly delivered: number;
  readonly held: number;
  readonly failed: number;
  /** Download sessions that began. */
  readonly downloads: number;
}

/** What came in since midnight, by UTC, and what became of it. An order counts as in {@link DayMetrics}. */
export interface TodayMetrics {
  readonly orders: number;
  /** Orders of the same weekday a week ago, up to the same time of day. */
  readonly ordersAWeekAgo: number;
  readonly delivered: number;
  readonly held: number;
  readonly failed: number;
  readonly downloadsCompleted: number;
  /** Bytes of theirs went out in the last minute. */
  readonly downloadsRunning: number;
  /** From an order to the mail server's acceptance of its receipt, in milliseconds; null before the first. */
  readonly receiptMedianMs: number | null;
  readonly receiptSlowestMs: number | null;
  readonly lastOrderAt: Date | null;
}

/** Download sessions that began on one day or in one period. */
export interface DownloadCounts {
  readonly downloads: number;
  /** How many of them are completed. */
  readonly finished: number;
  /** Bytes that were sent; bytes that were sent twice count twice. */
  readonly bytes: number;
}

/** The download sessions that began on one day. */
export interface DownloadDay extends DownloadCounts {
  /** A UTC day, such as 2026-03-31. */
  readonly day: string;
}

/** The downloads of a period, by day and in total. */
export interface DownloadMetrics {
  /** Days on which a download began, oldest first. */
  readonly days: readonly DownloadDay[];
  /** The whole period, with the number of different customers. */
  readonly total: DownloadCounts & { readonly buyers: number };
}

/** One UTC day of an organisation. An order counts once, on the day of its first entry, however often it was sent. */
export interface DayMetrics {
  /** Such as 2026-03-31. */
  readonly day: string;
  readonly orders: number;
  readonly delivered: number;
  readonly held: number;
  readonly failed: number;
  /** Download sessions that began. */
  readonly downloads: number;
}

/** The current UTC day. An order counts as in {@link DayMetrics}. */
export interface TodayMetrics {
  readonly orders: number;
  /** Orders of the same weekday a week ago, up to the same time of day. */
  readonly ordersAWeekAgo: number;
  readonly delivered: number;
  readonly held: number;
  readonly failed: number;
  readonly downloadsCompleted: number;
  /** Downloads of which bytes were sent in the last minute. */
  readonly downloadsRunning: number;
  /** The time from an order to the mail server's acceptance of its receipt, in milliseconds; null before the first. */
  readonly receiptMedianMs: number | null;
  readonly receiptSlowestMs: number | null;
  readonly lastOrderAt: Date | null;
}

import type { DeliveryLine, DeliveryListRow, DeliveryStatus } from './delivery.ts';
import type { Platform } from './platform.ts';

/** The filter of a page of the webhook log. */
export interface LogQuery {
  /**
   * The beginning of an order's number or id, of its buyer's address, or of a SKU of its lines; or the end of a long order id of
   * Stripe. Case and a leading # are ignored. Blank for all.
   */
  readonly text: string;
  readonly status: DeliveryStatus | null;
  /** Only errors with this cause. */
  readonly cause?: ErrorCause | null;
  readonly connectionId: string | null;
  /** The id of the last entry of the previous page. */
  readonly before: string | null;
  readonly limit: number;
}

/** An entry as the dashboard lists it. */
export interface LogEntry extends Omit<DeliveryListRow, 'lines'> {
  readonly connectionName: string;
  readonly isTest: boolean;
  /** When its order was last decided; null if it could not be read. */
  readonly decidedAt: Date | null;
  /** Whether it is dismissed: see `subjectOfEntry`. */
  readonly isDismissed: boolean;
  readonly attempts: number;
  /** The first `LISTED_LINES` lines. */
  readonly lines: readonly LogLine[];
  readonly lineCount: number;
  /** Whether any of its lines, listed or not, is unmatched. */
  readonly hasUnmatched: boolean;
}

/** The causes of an error that a person fixes in a special way. */
export type ErrorCause = 'unreadable' | 'no-address';

/**
 * The cause of an error; null for any other cause, and for an entry that is not an error. An unreadable order has no address
 * either. An order without an address has lines only if its buyer is known from earlier purchases.
 */
export function causeOfError({
  status,
  decidedAt,
  normalizedEmail,
  lines,
}: Pick<LogEntry, 'status' | 'decidedAt' | 'normalizedEmail'> & {
  readonly lines: readonly unknown[];
}): ErrorCause | null {
  if (status !== 'error') return null;
  if (decidedAt === null) return 'unreadable';
  return normalizedEmail === null && lines.length === 0 ? 'no-address' : null;
}

/** Whether an entry can be dismissed. One with an unmatched SKU cannot: the SKU is mapped or ignored instead. */
export function mayBeDismissed({
  status,
  isDismissed,
  hasUnmatched,
  lines,
}: Pick<LogEntry, 'status' | 'isDismissed' | 'hasUnmatched' | 'lines'>): boolean {
  return (
    status === 'error' &&
    !isDismissed &&
    !hasUnmatched &&
    lines.every(({ purchaseId }) => purchaseId === null)
  );
}

/** An entry as its own page shows it, with the first `SHOWN_LINES` lines. */
export interface OpenedLogEntry extends LogEntry {
  /** Receipts of its purchases that are not sent, by their next try. */
  readonly receipts: readonly WaitingReceipt[];
  /** When the shop first reported a refund of the order, in full or in part; null if it never did. */
  readonly refundedAt: Date | null;
}

/** A line with the name of its product, or null. */
export interface LogLine extends DeliveryLine {
  readonly productName: string | null;
}

/** A receipt that no mail server has accepted. */
export interface WaitingReceipt {
  readonly status: 'pending' | 'refused';
  /** Tries that failed. */
  readonly attempts: number;
  /** The mail server's own words. */
  readonly lastAnswer: string | null;
  readonly nextTryAt: Date;
}

/** A connection, for the filter of the log. */
export interface LogSource {
  readonly connectionId: string;
  readonly platform: Platform;
  readonly name: string;
}

/** The number of entries with each status, counted up to `MAX_COUNTED` + 1, which means "more". */
export type LogCounts = Readonly<Record<DeliveryStatus, number>>;

/** How many lines of an entry the log lists. */
export const LISTED_LINES = 20;
/** How many lines the page of an entry shows. */
export const SHOWN_LINES = 200;
/** Entries of a status are counted up to this number. */
export const MAX_COUNTED = 1000;

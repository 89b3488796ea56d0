import type { DeliveryLine, DeliveryListRow, DeliveryStatus } from './delivery.ts';
import type { Platform } from './platform.ts';

/** Which entries of the webhook log an operator wants to see. */
export interface LogQuery {
  /**
   * How an order's number or id, its buyer's address, or the SKU of one of its lines begins, or how a long id of Stripe ends:
   * in any case and without the # before a number; blank for all.
   */
  readonly text: string;
  readonly status: DeliveryStatus | null;
  /** Narrows errors to those of this cause. */
  readonly cause?: ErrorCause | null;
  readonly connectionId: string | null;
  /** The id of the last entry of the page before. */
  readonly before: string | null;
  readonly limit: number;
}

/** An entry as the log's page lists it. */
export interface LogEntry extends Omit<DeliveryListRow, 'lines'> {
  readonly connectionName: string;
  readonly isTest: boolean;
  /** When it was last decided what becomes of its order; null for what could not be read. */
  readonly decidedAt: Date | null;
  /** Whether somebody decided that it needs nothing: see `subjectOfEntry`. */
  readonly isDismissed: boolean;
  readonly attempts: number;
  /** The first `LISTED_LINES` of them. */
  readonly lines: readonly LogLine[];
  readonly lineCount: number;
  /** Whether no product is known for any of all its lines, whatever became of the others. */
  readonly hasUnmatched: boolean;
}

/** Why nothing was delivered, where that decides what a person can do about it. */
export type ErrorCause = 'unreadable' | 'no-address';

/**
 * Null for other causes, and for an entry that is not an error. An order that could not be read has no address either. The lines of
 * an order without one are decided only if its buyer is known by what was sold before.
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

/** What “Needs you” lists of the log. Lines without a product are listed by their SKU, which is ignored or mapped instead. */
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

/** An entry as a page of its own shows it: the first `SHOWN_LINES` lines. */
export interface OpenedLogEntry extends LogEntry {
  /** Receipts of its purchases that are not sent, the one that is tried next first. */
  readonly receipts: readonly WaitingReceipt[];
  /** When its shop first said that it gave money back for the order, in full or in part; null: it never did. */
  readonly refundedAt: Date | null;
}

/** A line with the name of its product; null where it names none. */
export interface LogLine extends DeliveryLine {
  readonly productName: string | null;
}

/** A mail that the mail server has not taken. */
export interface WaitingReceipt {
  readonly status: 'pending' | 'refused';
  /** Tries that failed. */
  readonly attempts: number;
  /** The mail server's own words. */
  readonly lastAnswer: string | null;
  readonly nextTryAt: Date;
}

/** Where entries come from, without secrets. */
export interface LogSource {
  readonly connectionId: string;
  readonly platform: Platform;
  readonly name: string;
}

/** How many entries stand how, each counted up to `MAX_COUNTED`: one more than that means "more". */
export type LogCounts = Readonly<Record<DeliveryStatus, number>>;

/** How many lines of an entry the log lists. */
export const LISTED_LINES = 20;
/** How many lines the page of an entry shows. */
export const SHOWN_LINES = 200;
/** How far the entries of a status are counted. */
export const MAX_COUNTED = 1000;

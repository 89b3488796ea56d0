import type { DeliveryLine, DeliveryStatus } from './delivery.ts';

/** A user's decision that an action item, as it was shown, needs no action. */
export interface Dismissal {
  /**
   * What is dismissed: see `subjectOfActionItem` and {@link subjectOfRejected}, {@link subjectOfEntry}, {@link
   * subjectOfReceipt}.
   */
  readonly subject: string;
  /** The time and the count that were shown. What has a later time or a higher count now is shown again. */
  readonly seenAt: Date;
  readonly seenCount: number;
  /** The user's reason. */
  readonly reason: string;
  readonly by: string;
  readonly at: Date;
}

/** The subject of a dismissed rejected request. `seenAt` is when the request was received. */
export function subjectOfRejected(rejectedId: string): string {
  return `rejected ${rejectedId}`;
}

/**
 * The subject of a dismissed failed order, with all of its entries, or of an unreadable delivery without an order. An entry
 * that is received later, or is delivered again and fails again, is shown again.
 */
export function subjectOfEntry({
  id,
  connectionId,
  orderId,
}: {
  readonly id: string;
  readonly connectionId: string;
  readonly orderId: string | null;
}): string {
  return orderId === null ? `delivery ${id}` : `order ${connectionId} ${orderId}`;
}

/** When an entry last failed: the `seenAt` of its dismissal. */
export function lastFailureOf({
  receivedAt,
  decidedAt,
}: {
  readonly receivedAt: Date;
  readonly decidedAt: Date | null;
}): Date {
  return decidedAt !== null && decidedAt > receivedAt ? decidedAt : receivedAt;
}

/**
 * Whether the dismissal applies to the current failure of the entry: see {@link subjectOfEntry}. An entry with an unmatched
 * SKU or a purchase is not dismissed with its order: see `mayBeDismissed`.
 */
export function isOfFailure(
  { seenAt }: Pick<Dismissal, 'seenAt'>,
  entry: {
    readonly status: DeliveryStatus;
    readonly receivedAt: Date;
    readonly decidedAt: Date | null;
    /** All lines. */
    readonly lines: readonly Pick<DeliveryLine, 'outcome' | 'purchaseId'>[];
  },
): boolean {
  return (
    entry.status === 'error' &&
    seenAt >= lastFailureOf(entry) &&
    entry.lines.every(({ outcome, purchaseId }) => outcome !== 'unmatched' && purchaseId === null)
  );
}

/** Whether it covers all that the other covers, and more. */
export function sawMore(
  { seenAt, seenCount }: Pick<Dismissal, 'seenAt' | 'seenCount'>,
  other: Pick<Dismissal, 'seenAt' | 'seenCount'>,
): boolean {
  if (seenAt < other.seenAt || seenCount < other.seenCount) return false;
  return seenAt > other.seenAt || seenCount > other.seenCount;
}

/**
 * The subject of a dismissed refused receipt. `seenAt` is the time of the mail server's answer, so a receipt that is sent
 * again and refused again is shown again.
 */
export function subjectOfReceipt(receiptId: string): string {
  return `receipt ${receiptId}`;
}

/** Whether the dismissal applies to the current refusal of the receipt: see {@link subjectOfReceipt}. */
export function isOfRefusal(
  { seenAt }: Pick<Dismissal, 'seenAt'>,
  { lastAnswerAt }: { readonly lastAnswerAt: Date | null },
): boolean {
  return lastAnswerAt !== null && seenAt >= lastAnswerAt;
}

/** The action item that includes this failed entry: see `subjectOfActionItem`. */
export function itemOfEntry({
  decidedAt,
  lines,
}: {
  readonly decidedAt: Date | null;
  /** All lines. */
  readonly lines: readonly Pick<DeliveryLine, 'outcome' | 'candidate'>[];
}): 'unreadable' | 'unmatched' | 'failed' {
  if (decidedAt === null) return 'unreadable';
  const hasSku = lines.some(({ outcome, candidate }) => outcome === 'unmatched' && candidate !== null);
  return hasSku ? 'unmatched' : 'failed';
}

/**
 * Whether the dismissal of an action item covers this entry: it has not failed again since. For an order with an unmatched
 * SKU only the time of receipt counts, because it is decided again whenever another SKU is mapped.
 */
export function isEntryAmong(
  { seenAt }: Pick<Dismissal, 'seenAt'>,
  entry: Parameters<typeof lastFailureOf>[0] & Parameters<typeof itemOfEntry>[0],
): boolean {
  return (itemOfEntry(entry) === 'unmatched' ? entry.receivedAt : lastFailureOf(entry)) <= seenAt;
}

/** The longest reason, in characters. */
export const MAX_DISMISSAL_REASON = 200;

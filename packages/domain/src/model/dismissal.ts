import type { DeliveryLine, DeliveryStatus } from './delivery.ts';

/** Something that needs a person, as somebody saw it who decided that it needs nothing. */
export interface Dismissal {
  /** What it is about: see `subjectOfActionItem` and {@link subjectOfRejected}, {@link subjectOfEntry}, {@link subjectOfReceipt}. */
  readonly subject: string;
  /** What was seen: a thing that got worse since, or concerns more, is shown again. */
  readonly seenAt: Date;
  readonly seenCount: number;
  /** Why it needs nothing, in the words of the user who dismissed it. */
  readonly reason: string;
  readonly by: string;
  readonly at: Date;
}

/** What the dismissal of a single rejected request names. Its time is that at which the request was received. */
export function subjectOfRejected(rejectedId: string): string {
  return `rejected ${rejectedId}`;
}

/**
 * What the dismissal of a failed order or an unreadable delivery names: all entries of the order, as they were at the time
 * that was seen. One that comes later, or is delivered again and fails again, is shown again.
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

/** When an entry last went wrong: the time that its dismissal saw. */
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
 * Whether it is of the failure that the entry has now: see {@link subjectOfEntry}. What names an unmatched SKU or a purchase is not
 * dismissed with its order: see `mayBeDismissed`.
 */
export function isOfFailure(
  { seenAt }: Pick<Dismissal, 'seenAt'>,
  entry: {
    readonly status: DeliveryStatus;
    readonly receivedAt: Date;
    readonly decidedAt: Date | null;
    /** All of them. */
    readonly lines: readonly Pick<DeliveryLine, 'outcome' | 'purchaseId'>[];
  },
): boolean {
  return (
    entry.status === 'error' &&
    seenAt >= lastFailureOf(entry) &&
    entry.lines.every(({ outcome, purchaseId }) => outcome !== 'unmatched' && purchaseId === null)
  );
}

/** Whether it saw all that the other did, and more. */
export function sawMore(
  { seenAt, seenCount }: Pick<Dismissal, 'seenAt' | 'seenCount'>,
  other: Pick<Dismissal, 'seenAt' | 'seenCount'>,
): boolean {
  if (seenAt < other.seenAt || seenCount < other.seenCount) return false;
  return seenAt > other.seenAt || seenCount > other.seenCount;
}

/**
 * What the dismissal of a refused receipt names. It holds for the refusal that was seen, whose time is that of the mail server's
 * answer: a receipt that is sent again and refused again is shown again.
 */
export function subjectOfReceipt(receiptId: string): string {
  return `receipt ${receiptId}`;
}

/** Whether it is of the refusal that the receipt has now: see {@link subjectOfReceipt}. */
export function isOfRefusal(
  { seenAt }: Pick<Dismissal, 'seenAt'>,
  { lastAnswerAt }: { readonly lastAnswerAt: Date | null },
): boolean {
  return lastAnswerAt !== null && seenAt >= lastAnswerAt;
}

/** The subject under which Overview lists an entry that failed, among others: see `subjectOfActionItem`. */
export function itemOfEntry({
  decidedAt,
  lines,
}: {
  readonly decidedAt: Date | null;
  /** All of them. */
  readonly lines: readonly Pick<DeliveryLine, 'outcome' | 'candidate'>[];
}): 'unreadable' | 'unmatched' | 'failed' {
  if (decidedAt === null) return 'unreadable';
  const hasSku = lines.some(({ outcome, candidate }) => outcome === 'unmatched' && candidate !== null);
  return hasSku ? 'unmatched' : 'failed';
}

/**
 * Whether a dismissal of all that Overview lists as one thing saw this entry, which did not go wrong again since. Orders with an
 * unmatched SKU are as new as they came in: they are decided again whenever another SKU is mapped.
 */
export function isEntryAmong(
  { seenAt }: Pick<Dismissal, 'seenAt'>,
  entry: Parameters<typeof lastFailureOf>[0] & Parameters<typeof itemOfEntry>[0],
): boolean {
  return (itemOfEntry(entry) === 'unmatched' ? entry.receivedAt : lastFailureOf(entry)) <= seenAt;
}

/** A reason is a sentence, not a letter. */
export const MAX_DISMISSAL_REASON = 200;

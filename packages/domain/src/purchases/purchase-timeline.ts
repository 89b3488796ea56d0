import type { ActivityEntry } from '../model/activity.ts';
import { type FileProgress, INTERRUPTED_AFTER_MS } from '../model/download-session.ts';
import type { FoundPurchase } from '../model/purchase.ts';
import {
  type PurchaseDelivery,
  type PurchaseEvent,
  type PurchaseLink,
  type PurchaseReceipt,
  type PurchaseRecord,
  type PurchaseSession,
  RECORD_LIMIT,
} from '../model/purchase-record.ts';
import { evaluateReceipt, type ReceiptState } from './evaluate-receipt.ts';

/** An event in the life of a purchase, or one that is still to come. */
export type TimelineStep =
  | {
      readonly kind: 'received' | 'verified' | 'matched';
      readonly at: Date;
      readonly delivery: PurchaseDelivery;
    }
  | { readonly kind: 'recorded'; readonly at: Date; readonly byHand: boolean }
  | {
      /** `receipt-without`: the receipt was sent without the purchase, which was revoked. */
      readonly kind: 'receipt-accepted' | 'receipt-without' | 'receipt-refused' | 'receipt-delayed';
      readonly at: Date;
      readonly receipt: PurchaseReceipt;
    }
  /** A later event of the shop about the order. */
  | { readonly kind: 'event'; readonly at: Date; readonly event: PurchaseEvent }
  /** An entry of the activity log about the purchase. */
  | { readonly kind: 'action'; readonly at: Date; readonly entry: ActivityEntry }
  /** A new link without an entry: the buyer requested it at “My downloads”, or it was mailed with another product. */
  | { readonly kind: 'link-mailed'; readonly at: Date; readonly link: PurchaseLink }
  | { readonly kind: 'opened'; readonly at: Date; readonly link: PurchaseLink }
  /** Of a file with missing bytes. `downloading`: bytes were sent just now. `interrupted`: none were sent for a while. */
  | {
      readonly kind: 'downloading' | 'interrupted' | 'resumed';
      readonly at: Date;
      readonly file: FileProgress;
    }
  | { readonly kind: 'last-byte'; readonly at: Date; readonly session: PurchaseSession }
  | { readonly kind: 'completed'; readonly at: Date; readonly session: PurchaseSession | null }
  /** Still to come. */
  | {
      readonly kind: 'awaits-receipt' | 'awaits-opening' | 'awaits-last-byte' | 'awaits-completion';
      readonly at: null;
    };

/** The five stages of a purchase: when each was reached; null for one that is still to come. */
export interface TimelineSummary {
  readonly received: Date;
  readonly receipt: ReceiptState;
  readonly opened: Date | null;
  readonly lastByte: Date | null;
  readonly completed: Date | null;
}

/** The steps of a purchase by time, and at the end those that are still to come. */
export function listTimelineSteps(record: PurchaseRecord, now: Date): readonly TimelineStep[] {
  const happened = [
    ...listArrival(record),
    { kind: 'recorded', at: record.createdAt, byHand: isByHand(record) } as const,
    ...listReceipt(record),
    ...record.laterEvents.map((event) => ({ kind: 'event', at: event.receivedAt, event }) as const),
    ...listActions(record),
    ...listMailed(record),
    ...listOpening(record),
    ...record.sessions.flatMap((session, place) => listSession(session, record.sessions[place - 1], now)),
    ...listCompletionAlone(record),
  ];
  // Sorting is stable: steps of the same millisecond stay in the order of this list.
  const inOrder = happened.toSorted((one, other) => one.at.getTime() - other.at.getTime());
  return [...inOrder, ...listAwaited(record)];
}

/** Returns when a purchase reached each of its five stages. */
export function summariseTimeline(record: PurchaseRecord): TimelineSummary {
  const [first] = record.deliveries;
  const whole = record.sessions.filter(isWhole);
  return {
    received: first && first.receivedAt < record.createdAt ? first.receivedAt : record.createdAt,
    receipt: evaluateReceipt(record),
    opened: firstOpening(record)?.at ?? null,
    lastByte: whole[0]?.lastByteAt ?? null,
    completed: firstCompletion(record),
  };
}

function isByHand({ source }: PurchaseRecord): boolean {
  return source === 'api' || source === 'dashboard';
}

/** The steps of the entry that created the purchase. Later entries of its order created nothing. */
function listArrival({ deliveries, createdAt }: PurchaseRecord): readonly DatedStep[] {
  const made = deliveries.find(({ outcome }) => outcome === 'delivered') ?? deliveries[0];
  if (!made) return [];
  const { receivedAt } = made;
  return [
    { kind: 'received', at: receivedAt, delivery: made },
    { kind: 'verified', at: receivedAt, delivery: made },
    { kind: 'matched', at: createdAt, delivery: made },
  ];
}

type DatedStep = Exclude<TimelineStep, { readonly at: null }>;

function listReceipt({ receipt }: PurchaseRecord): readonly DatedStep[] {
  if (!receipt) return [];
  if (receipt.sentAt) {
    const isLeftOut = evaluateReceipt({ receipt }).kind === 'left-out';
    return [{ kind: isLeftOut ? 'receipt-without' : 'receipt-accepted', at: receipt.sentAt, receipt }];
  }
  if (receipt.lastAnswer === null) return [];
  const kind = receipt.status === 'refused' ? 'receipt-refused' : 'receipt-delayed';
  // The time of the answer was not always stored.
  return [{ kind, at: receipt.lastAnswerAt ?? receipt.nextTryAt, receipt }];
}

function listActions({ activity }: PurchaseRecord): readonly DatedStep[] {
  return activity.flatMap((entry) => {
    const isRecording = entry.kind === 'sale-recorded' || entry.kind === 'order-delivered';
    return isRecording ? [] : [{ kind: 'action', at: entry.at, entry } as const];
  });
}

/**
 * Links that were created neither with the purchase nor by an action in its activity log. A request at “My downloads” has no
 * entry, and a receipt that is sent again has one entry, for one of its purchases. Links that are older than the oldest entry
 * that was read are left out, because they may have an older entry; so are links that were created while the purchase was
 * revoked, which no mail has.
 */
function listMailed({ links, activity, createdAt }: PurchaseRecord): readonly DatedStep[] {
  const brought = new Set([createdAt, ...activity.map(({ at }) => at)].map((at) => at.getTime()));
  const since = activity.length < RECORD_LIMIT ? createdAt : (activity[0]?.at ?? createdAt);
  return links
    .filter(({ createdAt: at }) => at > since && !brought.has(at.getTime()) && !wasRevokedAt(activity, at))
    .map((link) => ({ kind: 'link-mailed', at: link.createdAt, link }) as const);
}

function wasRevokedAt(activity: PurchaseRecord['activity'], at: Date): boolean {
  const changes = activity.filter(({ kind }) => kind === 'link-revoked' || kind === 'link-restored');
  return changes.findLast((change) => change.at < at)?.kind === 'link-revoked';
}

function listOpening(record: PurchaseRecord): readonly DatedStep[] {
  const opening = firstOpening(record);
  return opening ? [{ kind: 'opened', ...opening }] : [];
}

/** The link that was opened first. If its first opening was not recorded yet, the last one counts. */
function firstOpening({ links }: PurchaseRecord): { readonly at: Date; readonly link: PurchaseLink } | null {
  const openings = links.flatMap((link) => {
    const at = link.firstOpenedAt ?? link.lastOpenedAt;
    return at ? [{ at, link }] : [];
  });
  return openings.toSorted((one, other) => one.at.getTime() - other.at.getTime())[0] ?? null;
}

function listSession(
  session: PurchaseSession,
  before: PurchaseSession | undefined,
  now: Date,
): readonly DatedStep[] {
  const { completedAt, lastByteAt } = session;
  const missing = session.files.find(({ whole }) => !whole);
  const stopped = before?.files.find(({ whole }) => !whole);
  const resumed = stopped && session.files.find((file) => isSameFile(stopped, file));
  return [
    ...(resumed ? [{ kind: 'resumed', at: session.startedAt, file: resumed } as const] : []),
    ...(isWhole(session) ? [{ kind: 'last-byte', at: lastByteAt, session } as const] : []),
    ...(missing && completedAt === null ? [describeMissing(missing, lastByteAt, now)] : []),
    ...(completedAt ? [{ kind: 'completed', at: completedAt, session } as const] : []),
  ];
}

function describeMissing(file: FileProgress, lastByteAt: Date, now: Date): DatedStep {
  const isQuiet = now.getTime() - lastByteAt.getTime() >= INTERRUPTED_AFTER_MS;
  return { kind: isQuiet ? 'interrupted' : 'downloading', at: lastByteAt, file };
}

function isSameFile(one: FileProgress, other: FileProgress): boolean {
  return one.version === other.version && one.name === other.name;
}

/** Whether every file that was begun was sent completely. */
function isWhole({ files }: PurchaseSession): boolean {
  return files.length > 0 && files.every(({ whole }) => whole);
}

/** A client can report a completed download without a session, such as one that the file store sent itself. */
function listCompletionAlone({ links, sessions }: PurchaseRecord): readonly DatedStep[] {
  if (sessions.some(({ completedAt }) => completedAt !== null)) return [];
  const used = links.find(({ usedAt }) => usedAt !== null)?.usedAt;
  return used ? [{ kind: 'completed', at: used, session: null }] : [];
}

function firstCompletion({ links }: PurchaseRecord): Date | null {
  const times = links.flatMap(({ usedAt }) => (usedAt ? [usedAt.getTime()] : []));
  return times.length > 0 ? new Date(Math.min(...times)) : null;
}

/** The stages that are still to come; none once the download is completed. */
function listAwaited(record: PurchaseRecord): readonly TimelineStep[] {
  const { receipt, opened, lastByte, completed } = summariseTimeline(record);
  if (completed) return [];
  const isReceiptPending = receipt.kind === 'pending';
  const isBegun = record.sessions.length > 0;
  return [
    ...(isReceiptPending ? [{ kind: 'awaits-receipt', at: null } as const] : []),
    ...(opened || isBegun ? [] : [{ kind: 'awaits-opening', at: null } as const]),
    ...(lastByte ? [] : [{ kind: 'awaits-last-byte', at: null } as const]),
    { kind: 'awaits-completion', at: null },
  ];
}

/**
 * The state of a purchase: the first of these that applies. `refused`, `pending`, `delivered`: the state of its receipt.
 * `used`: its download is completed. `expired`, `open`: the state of its newest link.
 */
export type PurchaseState = 'revoked' | 'refused' | 'pending' | 'used' | 'expired' | 'delivered' | 'open';

/** Returns the state of a purchase at `now`. */
export function evaluatePurchase(
  purchase: Pick<FoundPurchase, 'revokedAt' | 'receiptStatus' | 'downloadUsedAt' | 'downloadExpiresAt'>,
  now: Date,
): PurchaseState {
  const { revokedAt, receiptStatus, downloadUsedAt, downloadExpiresAt } = purchase;
  if (revokedAt !== null) return 'revoked';
  if (receiptStatus === 'refused') return 'refused';
  if (receiptStatus === 'pending') return 'pending';
  if (downloadUsedAt !== null) return 'used';
  if (downloadExpiresAt !== null && downloadExpiresAt <= now) return 'expired';
  return receiptStatus === 'sent' ? 'delivered' : 'open';
}

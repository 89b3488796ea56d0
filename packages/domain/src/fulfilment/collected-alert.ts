import type { Alert, AlertDetails } from '../model/alert.ts';
import type { DeliveryLine, DeliveryStatus } from '../model/delivery.ts';
import type { Platform } from '../model/platform.ts';
import { type CatalogueFacts, matchLine } from './decide-lines.ts';
import { evaluateDelivery } from './evaluate-delivery.ts';

/** A due alert in a collecting mail, with the current state of its subject. */
export interface CollectedAlert extends Pick<Alert, 'about' | 'cause'> {
  readonly details: AlertDetails;
  readonly now: AlertSubjectState;
}

/** The current state of the order, receipt, bodies or rejected requests that an alert is about. */
export type AlertSubjectState =
  /** `entries`: all entries of the order except dismissed ones, by id. */
  | { readonly kind: 'order'; readonly isSold: boolean; readonly entries: readonly EntryState[] }
  /** `isRefused`: whether the current receipt of a purchase is refused. */
  | { readonly kind: 'receipt'; readonly isRefused: boolean }
  /** `unread`: the oldest body since the alert that still cannot be read; null if an order was found in each. */
  | { readonly kind: 'body'; readonly unread: Pick<EntryState, 'deliveryId' | 'reason'> | null }
  /** `isKept`: whether a rejected request is still kept and needed. */
  | { readonly kind: 'rejected'; readonly isKept: boolean };

/** The current state of an entry of the log. */
export interface EntryState {
  readonly deliveryId: string;
  readonly platform: Platform;
  readonly status: DeliveryStatus;
  readonly reason: string | null;
  readonly lines: readonly Pick<DeliveryLine, 'sku' | 'candidate' | 'outcome'>[];
}

/** Every alert that was checked is in one of the two lists. */
interface EvaluatedAlerts<Collected extends CollectedAlert> {
  /** Alerts for the mail; those of an order name an entry that still fails. */
  readonly told: readonly Collected[];
  /** Alerts whose problem is gone. They are deleted, so that the same problem raises a new alert. */
  readonly dropped: readonly Collected[];
}

/** Decides which due alerts are mailed when their mail is closed. Each is checked on its own, so callers may pass them in pages. */
export function evaluateAlerts<Collected extends CollectedAlert>(
  due: readonly Collected[],
  known: CatalogueFacts,
): EvaluatedAlerts<Collected> {
  const evaluated = due.map((alert) => ({ alert, still: stillTrue(alert, known) }));
  return {
    told: evaluated.flatMap(({ alert, still }) =>
      still ? [{ ...alert, details: { ...alert.details, ...still } }] : [],
    ),
    dropped: evaluated.flatMap(({ alert, still }) => (still ? [] : [alert])),
  };
}

/** The current entry and reason of an alert; null if its problem is gone. */
function stillTrue(
  { details, now }: CollectedAlert,
  known: CatalogueFacts,
): Pick<AlertDetails, 'deliveryId' | 'reason'> | null {
  if (now.kind === 'receipt') return now.isRefused ? details : null;
  if (now.kind === 'rejected') return now.isKept ? details : null;
  if (now.kind === 'body') return now.unread && { ...now.unread, reason: now.unread.reason ?? '' };
  if (now.isSold || now.entries.some(({ status }) => status === 'held')) return null;
  const failing = now.entries.find((entry) => stillFails(entry, known));
  return failing ? { deliveryId: failing.deliveryId, reason: failing.reason ?? '' } : null;
}

/** Whether the entry would fail again if it were delivered now: its SKUs may have been mapped since. */
function stillFails({ status, platform, lines }: EntryState, known: CatalogueFacts): boolean {
  if (status !== 'error') return false;
  const outcomes = lines.map(({ sku, candidate, outcome }) => {
    if (outcome !== 'unmatched' || candidate === null) return outcome;
    const line = { candidates: [{ kind: candidate, value: sku }], quantity: 1, amount: null, title: null };
    const match = matchLine(line, platform, known);
    return match.kind === 'product' ? 'delivered' : match.kind;
  });
  return evaluateDelivery({ outcomes, receipts: [] }) === 'error';
}

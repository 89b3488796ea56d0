import type { Alert, AlertDetails } from '../model/alert.ts';
import type { DeliveryLine, DeliveryStatus } from '../model/delivery.ts';
import type { OrderSnapshot } from '../model/plan.ts';
import type { Platform } from '../model/platform.ts';
import { matchLine } from './decide-lines.ts';
import { evaluateDelivery } from './evaluate-delivery.ts';

/** A due alert in a mail that collects, with what is known by now of what it is about. */
export interface CollectedAlert extends Pick<Alert, 'about' | 'cause'> {
  readonly details: AlertDetails;
  readonly now: AlertedNow;
}

/** What is known of an order, receipt or body that an alert is about. */
export type AlertedNow =
  /** All entries of the order but those that were dismissed, by id. */
  | { readonly kind: 'order'; readonly isSold: boolean; readonly entries: readonly EntryNow[] }
  /** `isRefused`: a purchase rests on a receipt that is. */
  | { readonly kind: 'receipt'; readonly isRefused: boolean }
  /** The oldest since then that still cannot be read; null once delivering again found an order in each. */
  | { readonly kind: 'body'; readonly unread: Pick<EntryNow, 'deliveryId' | 'reason'> | null }
  /** `isKept`: one of them waits still. */
  | { readonly kind: 'rejected'; readonly isKept: boolean };

/** An entry of the log. */
export interface EntryNow {
  readonly deliveryId: string;
  readonly platform: Platform;
  readonly status: DeliveryStatus;
  readonly reason: string | null;
  readonly lines: readonly Pick<DeliveryLine, 'sku' | 'candidate' | 'outcome'>[];
}

/** What the unmatched lines of those entries may mean by now. */
export type KnownByNow = Pick<OrderSnapshot, 'mappings' | 'products'>;

/** Every alert that was checked is in one of them. */
interface EvaluatedAlerts<Collected extends CollectedAlert> {
  /** For the mail that is closed now; each names an entry that failed and still does. */
  readonly told: readonly Collected[];
  /** No longer true, and told to nobody: as if they had never been. Should it go wrong again, that is a new alert. */
  readonly dropped: readonly Collected[];
}

/** What becomes of due alerts when their mail is closed. Each is checked by itself: they may come in pages. */
export function evaluateAlerts<Collected extends CollectedAlert>(
  due: readonly Collected[],
  known: KnownByNow,
): EvaluatedAlerts<Collected> {
  const evaluated = due.map((alert) => ({ alert, still: stillTrue(alert, known) }));
  return {
    told: evaluated.flatMap(({ alert, still }) =>
      still ? [{ ...alert, details: { ...alert.details, ...still } }] : [],
    ),
    dropped: evaluated.flatMap(({ alert, still }) => (still ? [] : [alert])),
  };
}

/** The entry to look at and its reason, as they are by now; null when there is nothing to look at any more. */
function stillTrue(
  { details, now }: CollectedAlert,
  known: KnownByNow,
): Pick<AlertDetails, 'deliveryId' | 'reason'> | null {
  if (now.kind === 'receipt') return now.isRefused ? details : null;
  if (now.kind === 'rejected') return now.isKept ? details : null;
  if (now.kind === 'body') return now.unread && { ...now.unread, reason: now.unread.reason ?? '' };
  if (now.isSold || now.entries.some(({ status }) => status === 'held')) return null;
  const failing = now.entries.find((entry) => stillFails(entry, known));
  return failing ? { deliveryId: failing.deliveryId, reason: failing.reason ?? '' } : null;
}

/** Whether the entry would be an error again if it were delivered now: a SKU may have been mapped since. */
function stillFails({ status, platform, lines }: EntryNow, known: KnownByNow): boolean {
  if (status !== 'error') return false;
  const outcomes = lines.map(({ sku, candidate, outcome }) => {
    if (outcome !== 'unmatched' || candidate === null) return outcome;
    const line = { candidates: [{ kind: candidate, value: sku }], quantity: 1, amount: null, title: null };
    const match = matchLine(line, platform, known);
    return match.kind === 'product' ? 'delivered' : match.kind;
  });
  return evaluateDelivery({ outcomes, receipts: [] }) === 'error';
}

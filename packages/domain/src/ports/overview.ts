import type { ActionItemFacts, FirstSteps } from '../model/action-items.ts';
import type { Dismissal } from '../model/dismissal.ts';
import type { DayMetrics, DownloadMetrics, TodayMetrics } from '../model/metrics.ts';
import type { SearchHit, SearchQuery } from '../model/search.ts';

/** Counts for people to look at. Test orders are not among them, nor their receipts and downloads. */
export interface Metrics {
  /** Days of the period on which anything happened, oldest first. */
  byDay(orgId: string, period: { readonly from: Date; readonly until: Date }): Promise<readonly DayMetrics[]>;
  ofToday(orgId: string, day: { readonly midnight: Date; readonly now: Date }): Promise<TodayMetrics>;
  /** Download sessions that began in the period, `until` itself excluded, by UTC day and in all. */
  ofDownloads(orgId: string, period: { readonly from: Date; readonly until: Date }): Promise<DownloadMetrics>;
}

/** What only a person can fix, but for test orders, whose sender looks at them; and how far a new organisation has come. */
export interface ActionItems {
  /**
   * Held are the products that most orders wait for, at most five, but for those whose orders are being released. Failed are orders that came within the last thirty
   * days, and nothing of which was delivered or is waiting since. Rhythms are of connections that an order ever came by:
   * of each the latest fifty. Receipts and failed orders are counted up to `MAX_WAITING`.
   */
  read(orgId: string, now: Date): Promise<ActionItemFacts>;
  firstSteps(orgId: string): Promise<FirstSteps>;
}

/** What was dismissed, by its subject. A later dismissal of the same subject replaces the earlier one, unless that saw more. */
export interface Dismissals {
  /** Those of these subjects, the newest first. */
  list(orgId: string, subjects: readonly string[]): Promise<readonly Dismissal[]>;
  /**
   * All as one; no subject may be named twice. Answers with the subjects that were written, in their order: a dismissal stays that
   * was of a later time and of as many, or of more and of no earlier time.
   */
  dismiss(orgId: string, dismissals: readonly Dismissal[]): Promise<readonly string[]>;
  /**
   * Answers with the subjects that were dismissed until now, in their order. With `dismissedAt`, as an Undo: only those that
   * were dismissed at that time, and not again since.
   */
  bringBack(
    orgId: string,
    subjects: readonly string[],
    dismissedAt?: Date | null,
  ): Promise<readonly string[]>;
}

/** One search for everything that an organisation may look for by name. */
export interface EverywhereSearch {
  /**
   * Sorted by the names of the kinds; of each kind what is named exactly, then the newest. Of a kind of which more than a
   * thousand begin so, newer ones may be missing. Entries are pending, held or failed, name no purchase, and are of each
   * order the newest: what was delivered is found as its purchase.
   */
  find(orgId: string, query: SearchQuery): Promise<readonly SearchHit[]>;
}

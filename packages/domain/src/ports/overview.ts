import type { ActionItemFacts, FirstSteps } from '../model/action-items.ts';
import type { Dismissal } from '../model/dismissal.ts';
import type { DayMetrics, DownloadMetrics, TodayMetrics } from '../model/metrics.ts';
import type { SearchHit, SearchQuery } from '../model/search.ts';

/** Counts for pages. They leave out test orders with their receipts and downloads. */
export interface Metrics {
  /** Days of the period on which anything happened, oldest first. */
  byDay(orgId: string, period: { readonly from: Date; readonly until: Date }): Promise<readonly DayMetrics[]>;
  ofToday(orgId: string, day: { readonly midnight: Date; readonly now: Date }): Promise<TodayMetrics>;
  /** Download sessions that started in the period, `until` itself excluded, by UTC day and in total. */
  ofDownloads(orgId: string, period: { readonly from: Date; readonly until: Date }): Promise<DownloadMetrics>;
}

/**
 * What only a person can fix, except for test orders, whose sender watches them; and the setup progress of a new
 * organisation.
 */
export interface ActionItems {
  /**
   * `held`: the products for which most orders wait, at most five, except those whose orders are being released.
   * `failed`: orders that came within the last thirty days and of which nothing was delivered or is waiting since.
   * Receipts and failed orders are counted up to `MAX_WAITING`.
   */
  read(orgId: string, now: Date): Promise<ActionItemFacts>;
  firstSteps(orgId: string): Promise<FirstSteps>;
}

/**
 * Dismissals of action items, by subject. A later dismissal of the same subject replaces the earlier one, unless the
 * earlier one saw more.
 */
export interface Dismissals {
  /** The dismissals of these subjects, newest first. */
  list(orgId: string, subjects: readonly string[]): Promise<readonly Dismissal[]>;
  /**
   * Stores all of them atomically; no subject may occur twice. Returns the subjects that were stored, in their order. A
   * stored dismissal is not replaced if it saw a later time and as many buyers, or more buyers and no earlier time.
   */
  dismiss(orgId: string, dismissals: readonly Dismissal[]): Promise<readonly string[]>;
  /**
   * Returns the subjects that were dismissed until now, in their order. With `dismissedAt`, as in an Undo: only those
   * that were dismissed at that time, and not again since.
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
   * Sorted by the names of the kinds; within a kind exact matches first, then the newest. If more than a thousand of a
   * kind match as a prefix, newer ones may be missing. Entries are the newest pending, held or failed entry of each
   * order, without a purchase: a delivered order is found as its purchase.
   */
  find(orgId: string, query: SearchQuery): Promise<readonly SearchHit[]>;
}

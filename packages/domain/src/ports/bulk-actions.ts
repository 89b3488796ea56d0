import type { BulkCounts, BulkRun } from '../model/bulk-action.ts';
import type { PurchasePlace } from '../model/purchase.ts';

/** What was done to many purchases at once: one row each, with its progress and its result. */
export interface BulkActions {
  /**
   * Stores it, and, where it has a query, the job that pages through it, due when it was asked for. False: there is one of that
   * id, and nothing is stored. Of two at once, the unique key decides.
   */
  begin(run: BulkRun): Promise<boolean>;
  find(orgId: string, id: string): Promise<BulkRun | null>;
  /** As `find`. Within a transaction nobody else can advance or cancel it until the end: they wait. */
  hold(orgId: string, id: string): Promise<BulkRun | null>;
  /** Notes how far it has come, and what it did until then. For one that is held and has not ended. */
  advance(orgId: string, id: string, page: BulkProgress): Promise<void>;
  /** Ends it after the page that is in progress. False: it has ended, or is unknown. */
  cancel(orgId: string, id: string, by: { readonly at: Date; readonly by: string }): Promise<boolean>;
}

/** How far a bulk action is: the place in the list, the purchases seen, and what became of them. */
export interface BulkProgress {
  readonly place: PurchasePlace;
  readonly seen: number;
  readonly counts: BulkCounts;
  /** Null: there is more. */
  readonly endedAt: Date | null;
}

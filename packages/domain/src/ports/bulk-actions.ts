import type { BulkCounts, BulkRun } from '../model/bulk-action.ts';
import type { PurchasePlace } from '../model/purchase.ts';

/** Actions on many purchases at once: one row for each action, with its progress and its result. */
export interface BulkActions {
  /**
   * Stores the action and, if it has a query, the job that pages through it, due when the action was requested. False: an
   * action with that id exists, and nothing is stored. The unique key decides between two concurrent calls.
   */
  begin(run: BulkRun): Promise<boolean>;
  find(orgId: string, id: string): Promise<BulkRun | null>;
  /** Like `find`, but locks the action: until the transaction ends, others wait before they advance or cancel it. */
  hold(orgId: string, id: string): Promise<BulkRun | null>;
  /** Records the progress and the results so far. The action must be held and must not have ended. */
  advance(orgId: string, id: string, page: BulkProgress): Promise<void>;
  /** Ends the action after the page in progress. False: it has ended already, or is unknown. */
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

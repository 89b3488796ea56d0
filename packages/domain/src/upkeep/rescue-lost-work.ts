import type { Clock, Upkeep } from '../ports.ts';

/** How many of each kind were found without a job, and have one again. */
export interface LostWork {
  readonly deliveries: number;
  readonly receipts: number;
  readonly alertMails: number;
  readonly linkMails: number;
  readonly invitations: number;
  /** Sign-in links that still work. */
  readonly signInLinks: number;
  /** Entries that were released, or are to be settled. */
  readonly reruns: number;
}

/** What has waited for so long past its time should have been done: time enough for any queue that is only full. */
export const OVERDUE_AFTER_MS = 5 * 60 * 1000;

/**
 * Finds orders, mails of every kind, and reruns that are overdue and that no job is about any more, and gives them one. Rows
 * are the truth and jobs only say when to look, so whatever happened to the queue, nothing stays undone.
 */
export function rescueLostWork(ports: { readonly clock: Clock; readonly upkeep: Upkeep }): Promise<LostWork> {
  const now = ports.clock.now();
  return ports.upkeep.putBackLostJobs(new Date(now.getTime() - OVERDUE_AFTER_MS), now);
}

import type { Job } from '../model/job.ts';
import type { DeliveryLog, Fulfilment } from './fulfilment.ts';
import type { OutgoingEmails } from './mails.ts';

/**
 * Everything that fulfilment stores, in nine methods: entries of the log (`record`, `find`), decisions (`loadSnapshot`,
 * `commit`), receipts (`claim`, `complete`, `release`) and the queue of what must happen (`takeJob`, `endJob`). A program
 * that embeds the domain implements these, and nothing else, over tables of its own; `fulfilmentContract` of
 * @handover/testkit proves it.
 *
 * An entry waits for the receipts of the purchases that its lines name. Of the e-mails there are only receipts. No method
 * renews a claim: it lasts `CLAIM_LASTS_MS` from the time that `claim` is given, or by the store's own clock.
 *
 * `createFulfilment` records neither proofs nor rejected requests. A store without them must reject a recording that has
 * a `proof` or a `rejectedId`, and store nothing of it: if it ignored them, a proof could be used again, or one request
 * be delivered twice. A store with them does as `DeliveryLog` says.
 *
 * The queue has at most one job of a kind for each entry or receipt. A job that is queued again is due at its new time at
 * the latest, whatever happens to an earlier lease of it.
 *
 * The store decides where the catalogue, the organisations and the customers are kept: the domain only reads them, in
 * `loadSnapshot` and `claim`.
 *
 * A receipt names the version that was bought (`Purchase.versionId`), even if another version is live by now, or it can
 * no longer be bought. So keep versions that were sold.
 *
 * None of the nine methods reads alerts or entries of the activity log. A program that shows none may ignore those of a
 * plan, of a recording and of a refused receipt.
 */
export interface FulfilmentStore extends Pick<DeliveryLog, 'record' | 'find'>, Fulfilment, OutgoingEmails {
  /**
   * Leases the job that has been due longest at `now`, until `leasedUntil`: of two concurrent callers, one gets it. Null:
   * none is due. If a lease expires, its holder has crashed, and the job is leased again.
   *
   * Only jobs of the kinds in {@link FulfilmentJob} are leased. A store that queues other jobs leaves them to their own
   * workers.
   */
  takeJob(now: Date, leasedUntil: Date): Promise<LeasedJob | null>;
  /**
   * Ends the lease: removes the job from the queue (`again` null), or makes it due at `again`. A job that was queued
   * again or leased to somebody else meanwhile, or whose lease has ended, is not changed.
   */
  endJob(leased: LeasedJob, again: Date | null): Promise<void>;
}

/** What the queue of a {@link FulfilmentStore} holds: orders to decide, and receipts to send. */
export type FulfilmentJob =
  | Extract<Job, { readonly kind: 'fulfil-delivery' | 'resolve-delivery' }>
  | (Extract<Job, { readonly kind: 'send-email' }> & { readonly emailKind: 'receipt' });

/** A leased job. `leaseId` identifies this lease among all leases of the job. */
export interface LeasedJob {
  readonly job: FulfilmentJob;
  readonly leaseId: string;
}

import type { Job } from '../model/job.ts';
import type { DeliveryLog, Fulfilment } from './fulfilment.ts';
import type { OutgoingEmails } from './mails.ts';

/**
 * All that fulfilment keeps, in nine methods: entries of the log (`record`, `find`), decisions (`loadSnapshot`, `commit`),
 * receipts (`claim`, `complete`, `release`) and the queue of what must happen (`takeJob`, `endJob`). A program that
 * embeds the domain implements these, and nothing else, over tables of its own; `fulfilmentContract` of @handover/testkit proves it.
 *
 * An entry waits for the receipts of the purchases that its lines name. Of the e-mails there are only receipts. No method renews a claim: it lasts
 * `CLAIM_LASTS_MS` from the time that `claim` is given, or by the store's own clock.
 *
 * `createFulfilment` records neither proofs nor rejected requests. A store that keeps none rejects a recording that has a
 * `proof` or a `rejectedId`, and stores nothing of it: were either passed over, a proof could be used again, or one request
 * be delivered twice. A store that keeps them does as `DeliveryLog` says.
 *
 * Of each entry or receipt the queue has one job of a kind. One that is queued anew is due by its new time at the latest,
 * whatever becomes of a lease that it was handed out under before.
 *
 * Where the catalogue, the organisations and the customers are kept is the store's own affair: the domain only reads
 * them, in `loadSnapshot` and `claim`.
 *
 * A receipt says the version that was bought (`Purchase.versionId`), also where another one is live by now or nobody else can
 * buy it any more: keep versions that were sold.
 *
 * None of the nine reads alerts or entries of the activity log. A program that shows none to anybody may pass over those of a
 * plan, of a recording and of a refused receipt.
 */
export interface FulfilmentStore extends Pick<DeliveryLog, 'record' | 'find'>, Fulfilment, OutgoingEmails {
  /**
   * Hands out the job that has been due longest at `now`, and to nobody else until `leasedUntil`: of two who ask at once,
   * one gets it. Null: none is due. A lease that ran out was a crash, and the job is handed out again.
   *
   * Only jobs of the kinds that {@link FulfilmentJob} names are handed out. A store that queues others keeps them for
   * their own workers.
   */
  takeJob(now: Date, leasedUntil: Date): Promise<LeasedJob | null>;
  /**
   * Ends the lease: takes the job off the queue (`again` null), or makes it due at `again`. A job that was queued anew
   * since it was handed out, or was handed out to somebody else, or whose lease has ended, stays as it is.
   */
  endJob(leased: LeasedJob, again: Date | null): Promise<void>;
}

/** What the queue of a {@link FulfilmentStore} holds: orders to decide, and receipts to send. */
export type FulfilmentJob =
  | Extract<Job, { readonly kind: 'fulfil-delivery' | 'resolve-delivery' }>
  | (Extract<Job, { readonly kind: 'send-email' }> & { readonly emailKind: 'receipt' });

/** A job that was handed out. `leaseId` tells this lease from every other one of the job. */
export interface LeasedJob {
  readonly job: FulfilmentJob;
  readonly leaseId: string;
}

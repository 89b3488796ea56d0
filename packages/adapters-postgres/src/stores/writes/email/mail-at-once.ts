import { randomUUID } from 'node:crypto';
import type { Job, PendingReceipt, Plan } from '@handover/domain';
import { type JobOutbox, NOTHING_RESERVED, type Reservation } from '../../../jobs/job-outbox.ts';
import type { ClaimLeases } from './claim-leases.ts';

/**
 * Receipts that this process mails as soon as their plans are committed. They are inserted as claimed, and their jobs as
 * leased, so that neither is looked for and changed once more.
 */
export interface MailsAtOnce {
  readonly reservation: Reservation;
  /** The claims, by the ids of the receipts. */
  readonly claimIds: ReadonlyMap<string, string>;
  /**
   * Mails the receipts that were committed; null: none. The others are left to those who look for jobs, and so are all of
   * them where their content cannot be read: the workers are free again in each case.
   */
  start(readCommitted: (() => ReadonlyMap<string, PendingReceipt>) | null): void;
}

export const NO_MAILS: MailsAtOnce = {
  reservation: NOTHING_RESERVED,
  claimIds: new Map(),
  start: () => undefined,
};

/** Call this before the transaction of the plans begins: the claims count from then on. */
export function reserveMails(
  jobs: Pick<JobOutbox, 'reserve'>,
  leases: ClaimLeases,
  plans: readonly Plan[],
): MailsAtOnce {
  const reservation = jobs.reserve(plans.flatMap(listJobsOfNewReceipts));
  const claims = reservation.jobs.flatMap((job) => {
    if (job.kind !== 'send-email') return [];
    const claimId = randomUUID();
    return { job, id: job.emailId.toLowerCase(), claimId, confirm: leases.startRenewal(claimId) };
  });
  return {
    reservation,
    claimIds: new Map(claims.map(({ id, claimId }) => [id, claimId])),
    start: (readCommitted) => {
      let started: readonly Job[] = [];
      try {
        const committed = readCommitted?.();
        started = claims.flatMap(({ job, id, claimId, confirm }) => {
          const email = committed?.get(id);
          if (!email) return [];
          confirm();
          leases.keep({ claimId, email });
          return job;
        });
      } finally {
        reservation.start(started);
      }
    },
  };
}

/** A receipt that is sent again may have a job already. */
function listJobsOfNewReceipts({ receipt, jobs }: Plan): readonly Job[] {
  return jobs.filter((job) => job.kind === 'send-email' && job.emailId === receipt?.id);
}

import { randomUUID } from 'node:crypto';
import { isClaimSure, type Job, type PendingReceipt, type Plan } from '@handover/domain';
import type { Db } from '../../../database/schema.ts';
import { type JobOutbox, NOTHING_RESERVED, type Reservation } from '../../../jobs/job-outbox.ts';

/** A receipt that was claimed when it was inserted. */
export interface KeptClaim {
  readonly claimId: string;
  readonly email: PendingReceipt;
}

/** What one process knows about its claims of mails while it may not reach the database. */
export interface ClaimLeases {
  /** The connections that renew claims; defaults to those of the store. */
  readonly db?: Db | undefined;
  /**
   * Call this when a claim or its renewal is sent, and call the returned function once the database has confirmed it.
   * The claim starts at some moment in between, so only the first moment is safe to count from. The monotonic clock
   * counts, because nothing can set it.
   */
  startRenewal(claimId: string): () => void;
  forget(claimId: string): void;
  /** Keeps a claim for the job that mails its receipt. */
  keep(claim: KeptClaim): void;
  /** Returns a claim that was kept: once, and only while it is sure. */
  takeKept(orgId: string, emailId: string): KeptClaim | undefined;
  /** Whether no other process can have the mail yet, nor will have it before the mail server accepts it. */
  isSure(claimId: string): boolean;
}

/**
 * The leases that this process has on claims of mails. `now`: milliseconds of a clock that is never set. Without `db`, none
 * is renewed.
 */
export function createClaimLeases(now: () => number = () => performance.now(), db?: Db): ClaimLeases {
  const renewedAt = new Map<string, number>();
  const kept = new Map<string, KeptClaim>();
  const isSure = (claimId: string) =>
    isClaimSure(now() - (renewedAt.get(claimId) ?? Number.NEGATIVE_INFINITY));
  return {
    db,
    startRenewal: (claimId) => {
      const sentAt = now();
      return () => renewedAt.set(claimId, sentAt);
    },
    forget: (claimId) => {
      renewedAt.delete(claimId);
    },
    keep: (claim) => void kept.set(nameEmail(claim.email.orgId, claim.email.id), claim),
    takeKept: (orgId, emailId) => {
      const name = nameEmail(orgId, emailId);
      const claim = kept.get(name);
      kept.delete(name);
      if (!claim || isSure(claim.claimId)) return claim;
      renewedAt.delete(claim.claimId);
      return undefined;
    },
    isSure,
  };
}

function nameEmail(orgId: string, emailId: string): string {
  return `${orgId} ${emailId}`.toLowerCase();
}

/**
 * Receipts that this process mails as soon as their plans are committed. They are inserted as claimed, and their jobs as
 * leased, so that no further statements look for them and claim them.
 */
export interface MailsAtOnce {
  readonly reservation: Reservation;
  /** The claims, by the ids of the receipts. */
  readonly claimIds: ReadonlyMap<string, string>;
  /**
   * Mails the receipts that were committed; null: none. The jobs of the others are left in the queue, and all of them if the
   * contents cannot be read. In each case the reserved workers are free again.
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

/** Only of new receipts: one that is sent again may have a job already. */
function listJobsOfNewReceipts({ receipt, jobs }: Plan): readonly Job[] {
  return jobs.filter((job) => job.kind === 'send-email' && job.emailId === receipt?.id);
}

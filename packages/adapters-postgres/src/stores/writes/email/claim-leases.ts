import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  CLAIM_LASTS_MS,
  type ClaimEnd,
  isClaimSure,
  type Job,
  type PendingReceipt,
  type Plan,
} from '@handover/domain';
import { sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { isStoreUnavailable } from '../../../database/store-errors.ts';
import { type JobOutbox, NOTHING_RESERVED, type Reservation } from '../../../jobs/job-outbox.ts';
import { doTogether } from '../../../statements/batches.ts';
import { areIds } from '../../../statements/ids.ts';

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

/** How long a claim lasts after its last renewal, by the database's clock, which all processes share. */
export const CLAIM_SECONDS = CLAIM_LASTS_MS / 1000;
const RENEW_EVERY_MS = 5_000;

type Renewal = 'renewed' | 'locked' | 'lost';

/** A claim of an e-mail. */
interface Claim {
  readonly orgId: string;
  readonly id: string;
  readonly claimId: string;
}

/**
 * The claims of this process on e-mails, each with its own id. They are renewed until they end, so that a slow mail server
 * does not lose a claim, but a crash does.
 */
export function createClaims(db: Db, leases: ClaimLeases) {
  const timers = new Map<string, NodeJS.Timeout>();
  const renewals = leases.db ?? db;
  // Mails that were claimed together are renewed together.
  const renew = doTogether<Claim, Renewal>(renewals, {
    keyOf: ({ orgId }) => orgId,
    run: (claims) => renewAll(claims),
  });

  const drop = (claimId: string): void => {
    clearInterval(timers.get(claimId));
    timers.delete(claimId);
    leases.forget(claimId);
  };
  const keepRenewing = (claim: Claim): void => {
    const timer = setInterval(() => {
      const confirmRenewal = leases.startRenewal(claim.claimId);
      // A failed renewal is repeated at the next interval; by then another process may hold the claim.
      renew(claim).then(
        (renewal) => {
          if (renewal === 'lost') drop(claim.claimId);
          if (renewal === 'renewed' && timers.has(claim.claimId)) confirmRenewal();
        },
        () => undefined,
      );
    }, RENEW_EVERY_MS);
    timer.unref();
    timers.set(claim.claimId, timer);
  };
  return {
    /** Takes over a claim of this process that was made when the e-mail was. */
    takeKept: (orgId: string, id: string): KeptClaim | undefined => {
      const kept = leases.takeKept(orgId, id);
      if (kept) keepRenewing({ orgId, id, claimId: kept.claimId });
      return kept;
    },
    /** Claims a mail under a new id, and renews the claim from then on. */
    take: async <Answer extends { readonly kind: string }>(
      claiming: Pick<Claim, 'orgId' | 'id'>,
      claim: (claimId: string) => Promise<Answer>,
    ): Promise<Answer> => {
      const claimId = crypto.randomUUID();
      const confirmClaim = leases.startRenewal(claimId);
      const answer = await claim(claimId);
      if (answer.kind !== 'claimed') return answer;
      confirmClaim();
      keepRenewing({ ...claiming, claimId });
      return answer;
    },

    /** `complete` returns whether the claim was still held. If it was not, it must have changed nothing. */
    end: async (claim: Claim, complete: () => Promise<boolean>): Promise<ClaimEnd> => {
      if (!areIds(claim.orgId, claim.id, claim.claimId)) return 'not-held';
      let tries = 0;
      try {
        const isCompleted = await retryUntilAvailable(() => {
          tries += 1;
          return complete();
        });
        if (isCompleted) return 'completed';
        // The row does not keep ended claims, so it cannot tell whether a try whose answer was lost has ended this
        // one.
        return tries === 1 ? 'not-held' : 'perhaps-completed';
      } finally {
        drop(claim.claimId);
      }
    },

    release: async (claim: Claim): Promise<void> => {
      // Without renewal the claim expires, even if this does not reach the database.
      drop(claim.claimId);
      const { orgId, id, claimId } = claim;
      if (!areIds(orgId, id, claimId)) return;
      await sql`
        update outgoing_emails set claim_id = null, claimed_until = null
        where org_id = ${orgId} and id = ${id} and claim_id = ${claimId}
      `.execute(db);
    },
  };

  /** Renews claims of one organisation. It skips locked rows, since otherwise the other claims would expire. */
  async function renewAll(claims: readonly Claim[]): Promise<readonly Renewal[]> {
    const orgId = claims[0]?.orgId ?? '';
    const ids = claims.map(({ id }) => id);
    const claimIds = claims.map(({ claimId }) => claimId);
    const { rows } = await sql<{ readonly claimId: string; readonly isRenewed: boolean }>`
      with held as materialized (
        select id from outgoing_emails
        where org_id = ${orgId} and id = any(${ids}::uuid[])
          and claim_id = any(${claimIds}::uuid[])
        order by id
        for no key update skip locked
      ),
      renewed as (
        update outgoing_emails set claimed_until = now() + make_interval(secs => ${CLAIM_SECONDS})
        where org_id = ${orgId} and id = any(array(select id from held))
        returning id
      )
      select claim_id as "claimId", id in (select id from renewed) as "isRenewed" from outgoing_emails
      where org_id = ${orgId} and id = any(${ids}::uuid[])
        and claim_id = any(${claimIds}::uuid[])
    `.execute(renewals);
    const held = new Map(rows.map(({ claimId, isRenewed }) => [claimId, isRenewed]));
    return claims.map(({ claimId }) => {
      if (!held.has(claimId)) return 'lost';
      return held.get(claimId) ? 'renewed' : 'locked';
    });
  }
}

const RETRY_FOR_MS = 60_000;
const PAUSE_MS = 250;

/**
 * A mail that was accepted while the database is down would be mailed again, unless this is recorded before the claim
 * expires: so it retries until the database is back. Recording it twice, if only the answer to the commit was lost,
 * changes nothing.
 */
async function retryUntilAvailable<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  const giveUpAt = performance.now() + RETRY_FOR_MS;
  while (true) {
    try {
      return await work();
    } catch (error) {
      if (!isStoreUnavailable(error) || performance.now() > giveUpAt) throw error;
    }
    await pause(PAUSE_MS);
  }
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

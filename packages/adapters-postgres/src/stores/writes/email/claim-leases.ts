import { isClaimSure, type PendingReceipt } from '@handover/domain';
import type { Kysely } from 'kysely';
import type { Schema } from '../../../database/schema.ts';

/** A receipt that was claimed when it was inserted. */
export interface KeptClaim {
  readonly claimId: string;
  readonly email: PendingReceipt;
}

/** What one process knows about its claims of mails while it may not reach the database. */
export interface ClaimLeases {
  /** The connections that renew claims; defaults to those of the store. */
  readonly db?: Kysely<Schema> | undefined;
  /**
   * Call this when a claim or its renewal is sent, and call the returned function once the database has confirmed it.
   * The claim starts at some moment in between, so only the first moment is safe to count from. The monotonic clock
   * counts, because nothing can set it.
   */
  startRenewal(claimId: string): () => void;
  forget(claimId: string): void;
  /** Keeps a claim for the job that mails its receipt. */
  keep(claim: KeptClaim): void;
  /** Gives out a claim that was kept: once, and only while it is sure. */
  takeKept(orgId: string, emailId: string): KeptClaim | undefined;
  /** Whether no other process can have the mail yet, nor will have it before the mail server accepts it. */
  isSure(claimId: string): boolean;
}

export function createClaimLeases(
  now: () => number = () => performance.now(),
  db?: Kysely<Schema>,
): ClaimLeases {
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

import { isClaimSure } from '@handover/domain';
import type { Kysely } from 'kysely';
import type { Schema } from '../../../database/schema.ts';

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
  /** Whether no other process can have the mail yet, nor will have it before the mail server accepts it. */
  isSure(claimId: string): boolean;
}

export function createClaimLeases(
  now: () => number = () => performance.now(),
  db?: Kysely<Schema>,
): ClaimLeases {
  const renewedAt = new Map<string, number>();
  return {
    db,
    startRenewal: (claimId) => {
      const sentAt = now();
      return () => renewedAt.set(claimId, sentAt);
    },
    forget: (claimId) => {
      renewedAt.delete(claimId);
    },
    isSure: (claimId) => isClaimSure(now() - (renewedAt.get(claimId) ?? Number.NEGATIVE_INFINITY)),
  };
}

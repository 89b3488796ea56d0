import { isClaimSure } from '@handover/domain';
import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/** What one process knows of its claims of mails, while the database may be out of its reach. */
export interface ClaimLeases {
  /** The connections that claims are renewed over; left out, the store's own. */
  readonly db?: Kysely<Schema> | undefined;
  /**
   * Call it as a claim or its renewal is sent, and what it returns once the database has confirmed that: the claim lasts from
   * some moment in between, so only the first is safe to count from. The monotonic clock counts, which nobody can set.
   */
  startRenewal(claimId: string): () => void;
  forget(claimId: string): void;
  /** Whether nobody else can have the mail yet, nor will have it before the mail server has taken it. */
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

import { setTimeout as pause } from 'node:timers/promises';
import type { Receipts } from '@handover/domain';
import type { Kysely } from 'kysely';
import { areIds } from '../ids.ts';
import type { JobOutbox } from '../job-outbox.ts';
import type { Schema } from '../schema.ts';
import { isStoreUnavailable } from '../store-errors.ts';
import { claimReceipt } from './claim-receipt.ts';
import { createClaims } from './claim-renewal.ts';
import { settleReceipt } from './settle-receipt.ts';

export function createPostgresReceipts(db: Kysely<Schema>, jobs: JobOutbox): Receipts {
  const claims = createClaims(db);
  return {
    claim: async (orgId, receiptId, now) => {
      if (!areIds(orgId, receiptId)) return { kind: 'settled' };
      const claimId = crypto.randomUUID();
      const claim = await claimReceipt(db, { orgId, receiptId, claimId, now });
      if (claim.kind === 'claimed') claims.keep({ orgId, receiptId, claimId });
      return claim;
    },

    settle: async (orgId, receiptId, outcome) => {
      if (!areIds(orgId, receiptId)) return;
      const claimId = claims.find(orgId, receiptId);
      try {
        await insist(() => settleReceipt(db, jobs, { orgId, receiptId, claimId, outcome }));
      } finally {
        claims.drop(orgId, receiptId);
      }
    },
  };
}

const INSIST_FOR_MS = 60_000;
const PAUSE_MS = 250;

/**
 * A mail that was accepted while the database is away would be mailed again, unless its being sent is written
 * down before the claim's lapse lets anyone else at it: so we knock until the database is back. Doing it
 * twice, when only the answer to the commit was lost, changes nothing.
 */
async function insist(work: () => Promise<void>): Promise<void> {
  const giveUpAt = Date.now() + INSIST_FOR_MS;
  while (true) {
    try {
      return await work();
    } catch (error) {
      if (!isStoreUnavailable(error) || Date.now() > giveUpAt) throw error;
    }
    await pause(PAUSE_MS);
  }
}

import type { Receipts } from '@handover/domain';
import type { Kysely } from 'kysely';
import type { ClaimLeases } from '../claim-leases.ts';
import { areIds } from '../ids.ts';
import type { JobOutbox } from '../job-outbox.ts';
import type { Schema } from '../schema.ts';
import { claimReceipt } from './claim-receipt.ts';
import { createClaims } from './claim-renewal.ts';
import { settleReceipt } from './settle-receipt.ts';

export function createPostgresReceipts(db: Kysely<Schema>, jobs: JobOutbox, leases: ClaimLeases): Receipts {
  const claims = createClaims(db, 'receipts', leases);
  return {
    claim: async (orgId, receiptId, now) =>
      areIds(orgId, receiptId)
        ? claims.take({ orgId, id: receiptId }, (claimId) =>
            claimReceipt(db, { orgId, receiptId, claimId, now }),
          )
        : { kind: 'settled' },

    settle: (orgId, receiptId, claimId, outcome) =>
      claims.end({ orgId, id: receiptId, claimId }, () =>
        settleReceipt(db, jobs, { orgId, receiptId, claimId, outcome }),
      ),

    release: (orgId, receiptId, claimId) => claims.release({ orgId, id: receiptId, claimId }),
  };
}

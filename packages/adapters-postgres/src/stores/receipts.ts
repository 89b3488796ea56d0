import type { Receipts } from '@handover/domain';
import { type Kysely, sql } from 'kysely';
import { areIds } from '../ids.ts';
import type { JobOutbox } from '../job-outbox.ts';
import type { Schema } from '../schema.ts';
import { claimReceipt } from './claim-receipt.ts';
import { CLAIM_SECONDS, type Claim, createClaims } from './claim-renewal.ts';
import { insist } from './insist.ts';
import { settleReceipt } from './settle-receipt.ts';

export function createPostgresReceipts(db: Kysely<Schema>, jobs: JobOutbox): Receipts {
  const claims = createClaims((claim) => renewClaim(db, claim));
  return {
    claim: async (orgId, receiptId, now) => {
      if (!areIds(orgId, receiptId)) return { kind: 'settled' };
      const claimId = crypto.randomUUID();
      const claim = await claimReceipt(db, { orgId, receiptId, claimId, now });
      if (claim.kind === 'claimed') claims.keep({ of: [orgId, receiptId], claimId });
      return claim;
    },

    settle: async (orgId, receiptId, outcome) => {
      if (!areIds(orgId, receiptId)) return;
      const claimId = claims.find([orgId, receiptId]);
      try {
        await insist(() => settleReceipt(db, jobs, { orgId, receiptId, claimId, outcome }));
      } finally {
        claims.drop([orgId, receiptId]);
      }
    },
  };
}

async function renewClaim(db: Kysely<Schema>, { of, claimId }: Claim): Promise<boolean> {
  const [orgId = '', receiptId = ''] = of;
  const renewed = await db
    .updateTable('receipts')
    .set({ claimed_until: sql<Date>`now() + make_interval(secs => ${CLAIM_SECONDS})` })
    .where('org_id', '=', orgId)
    .where('id', '=', receiptId)
    .where('claim_id', '=', claimId)
    .executeTakeFirst();
  return renewed.numUpdatedRows > 0n;
}

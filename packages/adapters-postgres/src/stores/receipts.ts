import type { ReceiptClaim, Receipts } from '@handover/domain';
import type { Kysely } from 'kysely';
import { createTurns } from '../batches.ts';
import type { ClaimLeases } from '../claim-leases.ts';
import { areIds } from '../ids.ts';
import type { JobOutbox } from '../job-outbox.ts';
import type { Schema } from '../schema.ts';
import { type Claiming, claimReceipts } from './claim-receipts.ts';
import { createClaims } from './claim-renewal.ts';
import { doTogether } from './do-together.ts';
import { settleReceipt } from './settle-receipt.ts';
import { type SentReceipt, settleSent } from './settle-sent.ts';

/** Of so many organisations receipts are claimed or settled at once. */
const MAX_AT_ONCE = 3;

export function createPostgresReceipts(db: Kysely<Schema>, jobs: JobOutbox, leases: ClaimLeases): Receipts {
  const claims = createClaims(db, 'receipts', leases);
  const ofOneOrganisation = {
    turns: createTurns(MAX_AT_ONCE),
    keyOf: ({ orgId }: { readonly orgId: string }) => orgId,
    subjectsOf: ({ receiptId }: { readonly receiptId: string }) => [receiptId],
  };
  const claim = doTogether<Claiming, ReceiptClaim>(db, {
    ...ofOneOrganisation,
    run: (claimings) => claimReceipts(db, claimings),
  });
  const settle = doTogether<SentReceipt, boolean>(db, {
    ...ofOneOrganisation,
    run: (receipts) => settleSent(db, receipts),
  });
  return {
    claim: async (orgId, id, now) => {
      if (!areIds(orgId, id)) return { kind: 'settled' };
      // As PostgreSQL spells it, for it tells the receipts of a batch by their ids.
      const receiptId = id.toLowerCase();
      return claims.take({ orgId, id }, (claimId) => claim({ orgId, receiptId, claimId, now }));
    },

    settle: (orgId, id, claimId, outcome) => {
      const receiptId = id.toLowerCase();
      return claims.end({ orgId, id, claimId }, () =>
        outcome.kind === 'sent'
          ? settle({ orgId, receiptId, claimId, at: outcome.at, answer: outcome.answer })
          : settleReceipt(db, jobs, { orgId, receiptId, claimId, outcome }),
      );
    },

    release: (orgId, receiptId, claimId) => claims.release({ orgId, id: receiptId, claimId }),
  };
}

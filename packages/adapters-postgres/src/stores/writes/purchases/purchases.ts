import type { Purchases } from '@handover/domain';
import type { Kysely } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import type { JobOutbox } from '../../../jobs/job-outbox.ts';
import { readPurchases } from '../../reads/purchases/purchases.ts';
import { addSale } from './add-sale.ts';
import { restorePurchase, revokePurchase } from './revoke-purchase.ts';

export function createPostgresPurchases(db: Kysely<Schema>, jobs: JobOutbox): Purchases {
  return {
    ...readPurchases(db),

    revoke: (orgId, purchaseId, entry) => revokePurchase(db, { orgId, purchaseId, entry }),

    restore: (orgId, purchaseId, entry) => restorePurchase(db, { orgId, purchaseId, entry }),

    add: (sale) => addSale(db, jobs, sale),
  };
}

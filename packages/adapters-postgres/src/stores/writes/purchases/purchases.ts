import type { Purchases } from '@handover/domain';
import type { Db } from '../../../database/schema.ts';
import type { JobOutbox } from '../../../jobs/job-outbox.ts';
import { readPurchases } from '../../reads/purchases/purchases.ts';
import { addSale } from './add-sale.ts';
import { deleteTest } from './delete-test.ts';
import { restorePurchases, revokePurchases } from './revoke-purchases.ts';

export function createPostgresPurchases(db: Db, jobs: JobOutbox): Purchases {
  return {
    ...readPurchases(db),

    revoke: (orgId, entries, revocationId) => revokePurchases(db, orgId, entries, revocationId),

    restore: (orgId, entries, revocationId) => restorePurchases(db, orgId, entries, revocationId),

    deleteTest: (orgId, purchaseId, entry) => deleteTest(db, orgId, purchaseId, entry),

    add: (sale) => addSale(db, jobs, sale),
  };
}

import type { ActivityEntry, Purchases, RevokePurchaseResult } from '@handover/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { transact } from '../../../database/transact.ts';
import type { JobOutbox } from '../../../jobs/job-outbox.ts';
import { areIds } from '../../../statements/ids.ts';
import { readPurchases } from '../../reads/purchases/purchases.ts';
import { toRow } from '../audit/activity.ts';
import { addSale } from './add-sale.ts';
import { deleteTest } from './delete-test.ts';
import { restoreAll, revokeAll } from './revoke-all.ts';

export function createPostgresPurchases(db: Kysely<Schema>, jobs: JobOutbox): Purchases {
  return {
    ...readPurchases(db),

    revoke: (orgId, purchaseId, entry) => revokePurchase(db, { orgId, purchaseId, entry }),

    restore: (orgId, purchaseId, entry) => restorePurchase(db, { orgId, purchaseId, entry }),

    revokeAll: (orgId, entries) => revokeAll(db, orgId, entries),

    restoreAll: (orgId, entries) => restoreAll(db, orgId, entries),

    deleteTest: (orgId, purchaseId, entry) => deleteTest(db, orgId, purchaseId, entry),

    add: (sale) => addSale(db, jobs, sale),
  };
}

interface Revoking {
  readonly orgId: string;
  readonly purchaseId: string;
  readonly entry: ActivityEntry;
}

function revokePurchase(db: Kysely<Schema>, revoking: Revoking): Promise<RevokePurchaseResult> {
  const { orgId, purchaseId, entry } = revoking;
  return changeHeld(db, revoking, async (trx, revokedAt) => {
    if (revokedAt !== null) return false;
    await sql`
      update download_links set revoked_at = ${entry.at}
      where org_id = ${orgId} and purchase_id = ${purchaseId} and revoked_at is null
    `.execute(trx);
    return true;
  });
}

/** Links that ended earlier, when an address was corrected, were withdrawn at another time and keep it. */
function restorePurchase(db: Kysely<Schema>, revoking: Revoking): Promise<RevokePurchaseResult> {
  const { orgId, purchaseId } = revoking;
  return changeHeld(db, revoking, async (trx, revokedAt) => {
    if (revokedAt === null) return false;
    await sql`
      update download_links set revoked_at = null
      where org_id = ${orgId} and purchase_id = ${purchaseId} and revoked_at = ${revokedAt}
    `.execute(trx);
    return true;
  });
}

/**
 * A transaction that creates a new link for a purchase locks its row or that of its newest link until the commit. So
 * both are locked here, and what is read afterwards is the current state.
 */
function changeHeld(
  db: Kysely<Schema>,
  { orgId, purchaseId, entry }: Revoking,
  change: (trx: Transaction<Schema>, revokedAt: Date | null) => Promise<boolean>,
): Promise<RevokePurchaseResult> {
  if (!areIds(orgId, purchaseId)) return Promise.resolve('unknown-purchase');
  return transact<RevokePurchaseResult>(db, async (trx, giveUp) => {
    const { rows } = await sql`
      select id from purchases where org_id = ${orgId} and id = ${purchaseId} for no key update
    `.execute(trx);
    if (rows.length === 0) giveUp('unknown-purchase');
    await findNewest(trx, { orgId, purchaseId }, sql`for update`);
    const newest = await findNewest(trx, { orgId, purchaseId }, sql``);
    if (!(await change(trx, newest?.revokedAt ?? null))) giveUp('done-before');
    await trx.insertInto('activity').values(toRow(orgId, entry)).execute();
    return 'done';
  });
}

async function findNewest(
  trx: Transaction<Schema>,
  { orgId, purchaseId }: Pick<Revoking, 'orgId' | 'purchaseId'>,
  lock: ReturnType<typeof sql>,
) {
  const { rows } = await sql<{ readonly revokedAt: Date | null }>`
    select revoked_at as "revokedAt" from download_links
    where org_id = ${orgId} and purchase_id = ${purchaseId}
    order by created_at desc, id desc
    limit 1
    ${lock}
  `.execute(trx);
  return rows[0];
}

import type { ActivityEntry, DeleteTestPurchaseResult } from '@handover/domain';
import { sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { transact } from '../../../database/transact.ts';
import { areIds } from '../../../statements/ids.ts';
import { insertActivity } from '../fulfilment/insert-bought.ts';

/**
 * A caller that is about to make a link, a receipt or a download of the purchase locks its row or that of a link, so both are
 * locked before anything is deleted.
 */
export function deleteTest(
  db: Db,
  orgId: string,
  purchaseId: string,
  entry: ActivityEntry,
): Promise<DeleteTestPurchaseResult> {
  if (!areIds(orgId, purchaseId)) return Promise.resolve('unknown-purchase');
  return transact<DeleteTestPurchaseResult>(db, async (trx, giveUp) => {
    const { rows } = await sql<{ readonly isTest: boolean; readonly receiptId: string | null }>`
      select is_test as "isTest", receipt_id as "receiptId" from purchases
      where org_id = ${orgId} and id = ${purchaseId}
      for update
    `.execute(trx);
    const [found] = rows;
    if (!found) return giveUp('unknown-purchase');
    if (!found.isTest) giveUp('not-a-test');
    await sql`
      select id from download_links where org_id = ${orgId} and purchase_id = ${purchaseId} order by id for update
    `.execute(trx);
    // The foreign keys are checked at the end of the statement.
    await sql`
      with link as (
        delete from download_links where org_id = ${orgId} and purchase_id = ${purchaseId} returning id
      ),
      session as (
        delete from download_sessions where org_id = ${orgId} and link_id in (select id from link) returning id
      ),
      file as (
        delete from download_session_files where org_id = ${orgId} and session_id in (select id from session)
      ),
      alias as (
        delete from purchase_aliases where org_id = ${orgId} and purchase_id = ${purchaseId}
      ),
      line as (
        update delivery_lines set purchase_id = null where org_id = ${orgId} and purchase_id = ${purchaseId}
      )
      delete from purchases where org_id = ${orgId} and id = ${purchaseId}
    `.execute(trx);
    await sql`
      delete from outgoing_emails
      where org_id = ${orgId} and id = ${found.receiptId}
        and not exists (select from purchases where org_id = ${orgId} and receipt_id = ${found.receiptId})
    `.execute(trx);
    await insertActivity(trx, orgId, [entry]);
    return 'deleted';
  });
}

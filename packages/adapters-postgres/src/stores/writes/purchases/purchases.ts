import { type ActivityEntry, type DeleteTestPurchaseResult, ERASED, type Purchases } from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../../../database/schema.ts';
import { runTransaction, transact } from '../../../database/transact.ts';
import type { JobOutbox } from '../../../jobs/job-outbox.ts';
import { areIds } from '../../../statements/ids.ts';
import { newestLink, wasRevokedWith } from '../../reads/purchases/purchase-rows.ts';
import { readPurchases } from '../../reads/purchases/purchases.ts';
import { insertActivity } from '../audit/insert-activity.ts';
import { moveRevision } from '../catalogue/catalogue-revision.ts';
import { addSale } from './add-sale.ts';

export function createPostgresPurchases(db: Db, jobs: JobOutbox): Purchases {
  return {
    ...readPurchases(db),

    revoke: (orgId, entries, revocationId) => revokePurchases(db, orgId, entries, revocationId),

    restore: (orgId, entries, revocationId) => restorePurchases(db, orgId, entries, revocationId),

    deleteTest: (orgId, purchaseId, entry) => deleteTest(db, orgId, purchaseId, entry),

    add: (sale) => addSale(db, jobs, sale),
  };
}

/**
 * A caller that is about to make a link, a receipt or a download of the purchase locks its row or that of a link, so both are
 * locked before anything is deleted. The catalogue and the receipt are locked before them, as by plans: see `applyAtOnce`. The
 * catalogue's revision changes, so that a plan that names the purchase is decided again.
 */
export function deleteTest(
  db: Db,
  orgId: string,
  purchaseId: string,
  entry: ActivityEntry,
): Promise<DeleteTestPurchaseResult> {
  if (!areIds(orgId, purchaseId)) return Promise.resolve('unknown-purchase');
  return transact<DeleteTestPurchaseResult>(db, async (trx, giveUp) => {
    await moveRevision(trx, orgId);
    await sql`
      select id from outgoing_emails
      where org_id = ${orgId} and id = (select receipt_id from purchases where org_id = ${orgId} and id = ${purchaseId})
      for update
    `.execute(trx);
    const { rows } = await sql<{ readonly isTest: boolean; readonly receiptId: string | null }>`
      select is_test as "isTest", receipt_id as "receiptId" from purchases
      where org_id = ${orgId} and id = ${purchaseId}
      for update
    `.execute(trx);
    const [found] = rows;
    if (!found) return giveUp('unknown-purchase');
    if (!found.isTest) giveUp('not-a-test');
    await lockDownloads(trx, orgId, purchaseId);
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

/**
 * Locks the links of a purchase, and then their sessions, as a download does. A transaction that records sent bytes locks the
 * session, and then the key of its link, which is left unlocked for it. The deletion begins afterwards, and sees what it wrote.
 */
async function lockDownloads(trx: Trx, orgId: string, purchaseId: string): Promise<void> {
  const ofPurchase = sql`from download_links where org_id = ${orgId} and purchase_id = ${purchaseId}`;
  await sql`select id ${ofPurchase} order by id for no key update`.execute(trx);
  await sql`
    select id from download_sessions where org_id = ${orgId} and link_id = any(array(select id ${ofPurchase}))
    order by id
    for update
  `.execute(trx);
}

export function revokePurchases(
  db: Db,
  orgId: string,
  entries: readonly ActivityEntry[],
  revocationId: string,
): Promise<readonly string[]> {
  const at = entries[0]?.at ?? null;
  return changeAll(db, orgId, entries, {
    set: sql`revoked_at = ${at}, revocation_id = ${revocationId}`,
    where: sql`newest.revoked_at is null and download_links.revoked_at is null`,
  });
}

/**
 * Restores only links with the same revocation as the newest one: those that ended earlier, when an address was corrected,
 * stay revoked. Time and id are compared, because two actions can happen in one millisecond, and revocations of older
 * versions have no id.
 */
export function restorePurchases(
  db: Db,
  orgId: string,
  entries: readonly ActivityEntry[],
  revocationId: string | null,
): Promise<readonly string[]> {
  const isUndone = revocationId === null ? sql`true` : sql`newest.revocation_id = ${revocationId}`;
  if (!areIds(revocationId)) return Promise.resolve([]);
  return changeAll(db, orgId, entries, {
    set: sql`revoked_at = null, revocation_id = null`,
    where: sql`${wasRevokedWith(sql`newest`)} and ${isUndone} and not ${isOfErasedBuyer(orgId)}`,
  });
}

/** Read under the lock of the purchase, which erasing its buyer takes as well. */
const isOfErasedBuyer = (orgId: string) => sql`exists (
  select from purchases bought
  join customers buyer on buyer.org_id = ${orgId} and buyer.id = bought.customer_id
  where bought.org_id = ${orgId} and bought.id = newest.purchase_id and buyer.email like ${`%${ERASED}`}
)`;

/**
 * A transaction that creates a link locks the purchase's row or that of its newest link until the commit. So this locks all of
 * them, in the order of their ids, and reads the current state afterwards.
 */
function changeAll(
  db: Db,
  orgId: string,
  entries: readonly ActivityEntry[],
  { set, where }: { readonly set: RawBuilder<unknown>; readonly where: RawBuilder<unknown> },
): Promise<readonly string[]> {
  const ids = areIds(orgId) ? entries.map(({ subjectId }) => subjectId).filter((id) => areIds(id)) : [];
  if (ids.length === 0) return Promise.resolve([]);
  const newest = sql`
    select purchase.id as purchase_id, link.id as link_id, link.revoked_at, link.revocation_id
    from unnest(${ids}::uuid[]) as purchase (id)
    cross join lateral ${newestLink(orgId, sql`purchase.id`)} link
  `;
  return runTransaction(db, async (trx) => {
    await sql`
      select id from purchases where org_id = ${orgId} and id = any(${ids}::uuid[]) order by id for no key update
    `.execute(trx);
    await sql`
      select id from download_links
      where org_id = ${orgId} and id = any(array(select link_id from (${newest}) as newest))
      order by id for update
    `.execute(trx);
    const { rows } = await sql<{ readonly id: string }>`
      update download_links set ${set}
      from (${newest}) as newest
      where org_id = ${orgId} and download_links.purchase_id = newest.purchase_id and ${where}
      returning newest.purchase_id as id
    `.execute(trx);
    const changed = new Set(rows.map(({ id }) => id));
    const done = entries.filter(({ subjectId }) => changed.has(subjectId.toLowerCase()));
    await insertActivity(trx, orgId, done);
    return done.map(({ subjectId }) => subjectId);
  });
}

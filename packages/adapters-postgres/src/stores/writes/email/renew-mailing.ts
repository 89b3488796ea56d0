import type { NewMailing } from '@handover/domain';
import { sql, type Transaction } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import type { JobOutbox } from '../../../jobs/job-outbox.ts';
import { moveRevision } from '../catalogue/catalogue-revision.ts';
import { insertActivity, insertCustomer, insertLinks } from '../fulfilment/insert-bought.ts';

type Trx = Transaction<Schema>;
type Refuse = () => never;

/**
 * Replaces the former receipt with a new one, or refuses. Rows are locked in the order of plans (see `applyPlan`).
 * The catalogue's revision changes, so that a plan that depends on the former receipt is decided again.
 */
export async function renewMailing(trx: Trx, jobs: JobOutbox, mailing: NewMailing, refuse: Refuse) {
  await moveRevision(trx, mailing.orgId);
  await retireReceipt(trx, mailing, refuse);
  await reopenDeliveries(trx, mailing);
  await insertCustomer(trx, mailing, refuse);
  await insertReceipt(trx, mailing);
  await movePurchases(trx, mailing, refuse);
  await refuseRevoked(trx, mailing, refuse);
  if (mailing.revokesFormerLinks) await revokeLinks(trx, mailing);
  await insertLinks(trx, mailing);
  await insertActivity(trx, { orgId: mailing.orgId, activity: [mailing.activity] });
  await jobs.enqueue(trx, mailing.jobs);
}

/**
 * A pending receipt will not be sent any more; a worker that is sending it right now may still record that it was
 * sent.
 */
async function retireReceipt(
  trx: Trx,
  { orgId, expectedVersions }: NewMailing,
  refuse: Refuse,
): Promise<void> {
  if (!expectedVersions.receipt) return;
  const retired = await trx
    .updateTable('outgoing_emails')
    .set({ status: sql`case status when 'pending' then 'refused' else status end` })
    .where('org_id', '=', orgId)
    .where('id', '=', expectedVersions.receipt.id)
    .where('status', '=', expectedVersions.receipt.status)
    .returning('id')
    .executeTakeFirst();
  if (!retired) refuse();
}

/** An entry that names a purchase is an error only for its receipt. */
async function reopenDeliveries(trx: Trx, { orgId, expectedVersions }: NewMailing): Promise<void> {
  await sql`
    update deliveries set status = 'pending', reason = null
    where org_id = ${orgId} and status = 'error'
      and id in (
        select delivery_id from delivery_lines
        where org_id = ${orgId} and purchase_id = any(${expectedVersions.purchases.map(({ id }) => id)}::uuid[])
      )
  `.execute(trx);
}

async function insertReceipt(trx: Trx, { orgId, receipt, expectedVersions }: NewMailing): Promise<void> {
  const [first] = expectedVersions.purchases;
  await sql`
    insert into outgoing_emails (
      org_id, id, kind, customer_id, language, connection_id, order_id, order_number,
      pending_since, next_try_at, created_at
    )
    select
      org_id, ${receipt.id}, 'receipt', ${receipt.customerId}, ${receipt.language}, connection_id, order_id, order_number,
      ${receipt.createdAt}, ${receipt.createdAt}, ${receipt.createdAt}
    from purchases
    where org_id = ${orgId} and id = ${first?.id}
  `.execute(trx);
}

/** All rows of the former receipt, if it is still the same. */
async function movePurchases(trx: Trx, { orgId, receipt, expectedVersions }: NewMailing, refuse: Refuse) {
  const { rows } = await sql`
    update purchases set customer_id = ${receipt.customerId}, receipt_id = ${receipt.id}
    where org_id = ${orgId}
      and id = any(${expectedVersions.purchases.map(({ id }) => id)}::uuid[])
      and customer_id = ${expectedVersions.customer.id}
      and receipt_id is not distinct from ${expectedVersions.receipt?.id ?? null}
    returning id
  `.execute(trx);
  if (rows.length < expectedVersions.purchases.length) refuse();
}

/** The purchases' rows are locked, so that none of them can be revoked before the commit. */
async function refuseRevoked(
  trx: Trx,
  { orgId, expectedVersions }: NewMailing,
  refuse: Refuse,
): Promise<void> {
  const { rows } = await sql`
    select from purchases purchase
    cross join lateral (
      select revoked_at from download_links
      where org_id = ${orgId} and purchase_id = purchase.id
      order by created_at desc, id desc
      limit 1
    ) newest
    where purchase.org_id = ${orgId}
      and purchase.id = any(${expectedVersions.purchases.map(({ id }) => id)}::uuid[])
      and newest.revoked_at is not null
    limit 1
  `.execute(trx);
  if (rows.length > 0) refuse();
}

async function revokeLinks(trx: Trx, { orgId, receipt, expectedVersions }: NewMailing): Promise<void> {
  await sql`
    update download_links set revoked_at = ${receipt.createdAt}
    where org_id = ${orgId}
      and purchase_id = any(${expectedVersions.purchases.map(({ id }) => id)}::uuid[])
      and revoked_at is null
  `.execute(trx);
}

import type { NewMailing } from '@handover/domain';
import { sql } from 'kysely';
import type { Trx } from '../../../database/schema.ts';
import type { JobOutbox } from '../../../jobs/job-outbox.ts';
import { unnestRows } from '../../../statements/rows.ts';
import { newestLink, wasRevokedWith } from '../../reads/purchases/purchase-rows.ts';
import { insertActivity } from '../audit/insert-activity.ts';
import { moveRevision } from '../catalogue/catalogue-revision.ts';
import { checkNow, insertLinks, insertNewCustomers, type Refuse } from '../fulfilment/insert-bought.ts';

/**
 * Replaces former receipts of one organisation with new ones, or refuses all. Rows are locked in the order of plans (see
 * `applyAtOnce`). The catalogue's revision changes, so that a plan that depends on a former receipt is decided again.
 */
export async function renewMailings(
  trx: Trx,
  queue: Pick<JobOutbox, 'enqueue'>,
  mailings: readonly NewMailing[],
  refuse: Refuse,
): Promise<void> {
  const [first] = mailings;
  if (!first) return;
  const { orgId } = first;
  const customers = mailings.flatMap(({ customer }) => customer ?? []);
  const purchaseIds = listPurchases(mailings).map(({ id }) => id);
  await moveRevision(trx, orgId);
  await retireReceipts(trx, orgId, mailings, refuse);
  await reopenDeliveries(trx, orgId, purchaseIds);
  await insertNewCustomers(trx, orgId, customers, checkNow(trx, refuse));
  await insertReceipts(trx, orgId, mailings);
  await movePurchases(trx, orgId, mailings, refuse);
  await refuseOtherRevoked(trx, orgId, mailings, refuse);
  await insertNewLinks(trx, orgId, mailings);
  await replaceLinks(
    trx,
    orgId,
    mailings.filter(({ revokesFormerLinks }) => revokesFormerLinks),
  );
  await insertActivity(
    trx,
    orgId,
    mailings.map(({ activity }) => activity),
  );
  await queue.enqueue(
    trx,
    mailings.flatMap((mailing) => mailing.jobs),
  );
}

/** Each purchase of the mailings, with its expected customer and receipt and the new ones. */
function listPurchases(mailings: readonly NewMailing[]) {
  return mailings.flatMap(({ receipt, expectedVersions }) =>
    expectedVersions.purchases.map(({ id }) => ({
      id,
      customerId: receipt.customerId,
      receiptId: receipt.id,
      formerCustomerId: expectedVersions.customer.id,
      formerReceiptId: expectedVersions.receipt?.id ?? null,
      at: receipt.createdAt,
    })),
  );
}

/**
 * Pending receipts will not be sent any more; a worker that is sending one right now may still record that it was
 * sent.
 */
async function retireReceipts(
  trx: Trx,
  orgId: string,
  mailings: readonly NewMailing[],
  refuse: Refuse,
): Promise<void> {
  const former = mailings.flatMap(({ expectedVersions }) => expectedVersions.receipt ?? []);
  if (former.length === 0) return;
  if (former.length > 1) {
    await sql`
      select id from outgoing_emails
      where org_id = ${orgId} and id = any(${former.map(({ id }) => id)}::uuid[]) order by id for update
    `.execute(trx);
  }
  const { rows } = await sql`
    update outgoing_emails set status = case when outgoing_emails.status = 'pending' then 'refused' else outgoing_emails.status end
    from ${unnestRows(former).as('former (id uuid, status text)')}
    where org_id = ${orgId} and outgoing_emails.id = former.id and outgoing_emails.status = former.status
    returning outgoing_emails.id
  `.execute(trx);
  if (rows.length < former.length) refuse();
}

/** An entry that names a purchase can only have the status `error` because of its receipt. */
async function reopenDeliveries(trx: Trx, orgId: string, purchaseIds: readonly string[]): Promise<void> {
  await sql`
    update deliveries set status = 'pending', reason = null
    where org_id = ${orgId} and status = 'error'
      and id in (
        select delivery_id from delivery_lines
        where org_id = ${orgId} and purchase_id = any(${purchaseIds}::uuid[])
      )
  `.execute(trx);
}

async function insertReceipts(trx: Trx, orgId: string, mailings: readonly NewMailing[]): Promise<void> {
  const receipts = mailings.map(({ receipt, expectedVersions }) => ({
    ...receipt,
    purchaseId: expectedVersions.purchases[0]?.id ?? null,
  }));
  await sql`
    insert into outgoing_emails (
      org_id, id, kind, customer_id, language, connection_id, order_id, order_number,
      pending_since, next_try_at, created_at
    )
    select
      ${orgId}::uuid, receipt.id, 'receipt', receipt.customer_id, receipt.language, connection_id, order_id,
      order_number, receipt.created_at, receipt.created_at, receipt.created_at
    from ${unnestRows(receipts).as(`receipt (
      id uuid, customer_id uuid, language text, created_at timestamptz, purchase_id uuid
    )`)}
    join purchases on purchases.org_id = ${orgId} and purchases.id = receipt.purchase_id
  `.execute(trx);
}

/** Moves all purchases of the former receipts to the new ones, if they are still the same. */
async function movePurchases(
  trx: Trx,
  orgId: string,
  mailings: readonly NewMailing[],
  refuse: Refuse,
): Promise<void> {
  const purchases = listPurchases(mailings);
  if (mailings.length > 1) {
    await sql`
      select id from purchases
      where org_id = ${orgId} and id = any(${purchases.map(({ id }) => id)}::uuid[]) order by id for no key update
    `.execute(trx);
  }
  const { rows } = await sql`
    update purchases set customer_id = moved.customer_id, receipt_id = moved.receipt_id
    from ${unnestRows(purchases).as(`moved (
      id uuid, customer_id uuid, receipt_id uuid, former_customer_id uuid, former_receipt_id uuid
    )`)}
    where org_id = ${orgId}
      and purchases.id = moved.id
      and purchases.customer_id = moved.former_customer_id
      and purchases.receipt_id is not distinct from moved.former_receipt_id
    returning purchases.id
  `.execute(trx);
  if (rows.length < purchases.length) refuse();
}

/** Refuses unless the same purchases are revoked as expected. Their rows are locked until the commit, so that this stays true. */
async function refuseOtherRevoked(
  trx: Trx,
  orgId: string,
  mailings: readonly NewMailing[],
  refuse: Refuse,
): Promise<void> {
  const expected = mailings.flatMap(({ expectedVersions }) => expectedVersions.purchases);
  const { rows } = await sql`
    select from ${unnestRows(expected).as('expected (id uuid, revoked boolean)')}
    cross join lateral ${newestLink(orgId, sql`expected.id`)} newest
    where expected.revoked <> (newest.revoked_at is not null)
    limit 1
  `.execute(trx);
  if (rows.length > 0) refuse();
}

/** The new link of a revoked purchase gets the revocation of the former one. */
async function insertNewLinks(trx: Trx, orgId: string, mailings: readonly NewMailing[]): Promise<void> {
  const links = mailings.flatMap((mailing) => mailing.links);
  await insertLinks(trx, orgId, links);
  const purchases = mailings.flatMap(({ expectedVersions }) => expectedVersions.purchases);
  const revoked = new Set(purchases.filter((one) => one.revoked).map(({ id }) => id));
  const ids = links.filter(({ purchaseId }) => revoked.has(purchaseId)).map(({ id }) => id);
  if (ids.length === 0) return;
  await sql`
    update download_links set revoked_at = former.revoked_at, revocation_id = former.revocation_id
    from (
      select link.id, before.revoked_at, before.revocation_id
      from download_links link
      cross join lateral (
        select revoked_at, revocation_id from download_links
        where org_id = ${orgId} and purchase_id = link.purchase_id and id <> link.id
        order by created_at desc, id desc
        limit 1
      ) before
      where link.org_id = ${orgId} and link.id = any(${ids}::uuid[])
    ) former
    where download_links.org_id = ${orgId} and download_links.id = former.id
  `.execute(trx);
}

/**
 * Ends the former links of purchases for good. If the purchase is revoked, the new link has its revocation instead of them,
 * so that restoring the purchase restores only that one. Links of a purchase that moves to another customer, also revoked
 * ones, keep the customer that they were made for.
 */
async function replaceLinks(trx: Trx, orgId: string, mailings: readonly NewMailing[]): Promise<void> {
  if (mailings.length === 0) return;
  const made = new Map(mailings.flatMap(({ links }) => links.map(({ purchaseId, id }) => [purchaseId, id])));
  const purchases = listPurchases(mailings).map((purchase) => ({
    ...purchase,
    linkId: made.get(purchase.id),
  }));
  const wasRevoked = wasRevokedWith(sql`former`);
  await sql`
    update download_links
    set
      revoked_at = case when ${wasRevoked} then former.at else coalesce(download_links.revoked_at, former.at) end,
      revocation_id = case when ${wasRevoked} then null else download_links.revocation_id end,
      customer_id = coalesce(download_links.customer_id, nullif(former.former_customer_id, former.customer_id))
    from (
      select purchase.*, made.revoked_at, made.revocation_id
      from ${unnestRows(purchases).as(`purchase (
        id uuid, link_id uuid, at timestamptz, customer_id uuid, former_customer_id uuid
      )`)}
      join download_links made on made.org_id = ${orgId} and made.id = purchase.link_id
    ) former
    where org_id = ${orgId} and download_links.purchase_id = former.id and download_links.id <> former.link_id
      and (
        download_links.revoked_at is null
        or former.revoked_at is not null
        or former.former_customer_id <> former.customer_id
      )
  `.execute(trx);
}

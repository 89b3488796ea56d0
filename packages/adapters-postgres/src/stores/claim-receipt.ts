import type { OwedReceipt, OwedReceiptItem, ReceiptClaim } from '@handover/domain';
import { linkExpiry } from '@handover/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from '../schema.ts';
import { runTransaction } from '../transact.ts';
import { CLAIM_SECONDS } from './claim-renewal.ts';

interface Claiming {
  readonly orgId: string;
  readonly receiptId: string;
  readonly claimId: string;
  readonly now: Date;
}

export function claimReceipt(db: Kysely<Schema>, claiming: Claiming): Promise<ReceiptClaim> {
  return runTransaction(db, async (trx) => {
    if (!(await takeReceipt(trx, claiming))) return explainRefusal(trx, claiming);
    await refreshLinks(trx, claiming);
    return { kind: 'claimed', claimId: claiming.claimId, receipt: await describeReceipt(trx, claiming) };
  });
}

/** One conditional update: of many who try at once, the row lets one through. */
async function takeReceipt(
  trx: Transaction<Schema>,
  { orgId, receiptId, claimId, now }: Claiming,
): Promise<boolean> {
  const taken = await trx
    .updateTable('receipts')
    .set({ claim_id: claimId, claimed_until: sql<Date>`now() + make_interval(secs => ${CLAIM_SECONDS})` })
    .where('org_id', '=', orgId)
    .where('id', '=', receiptId)
    .where('status', '=', 'owed')
    .where('next_try_at', '<=', now)
    .where(({ or, eb }) => or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', sql<Date>`now()`)]))
    .returning('id')
    .executeTakeFirst();
  return taken !== undefined;
}

async function explainRefusal(
  trx: Transaction<Schema>,
  { orgId, receiptId, now }: Claiming,
): Promise<ReceiptClaim> {
  const receipt = await trx
    .selectFrom('receipts')
    .select(['status', 'next_try_at', 'claimed_until', sql<Date>`now()`.as('database_now')])
    .where('org_id', '=', orgId)
    .where('id', '=', receiptId)
    .executeTakeFirst();
  if (receipt?.status !== 'owed') return { kind: 'settled' };
  const { next_try_at: due, claimed_until: claimedUntil, database_now: databaseNow } = receipt;
  if (claimedUntil && claimedUntil > databaseNow) return { kind: 'not-now', at: claimedUntil };
  // Neither held nor early any more: it was, a moment ago.
  return { kind: 'not-now', at: due > now ? due : now };
}

/** Of each purchase the newest link, which is the one that the mail carries: what ran out before stays so. */
async function refreshLinks(trx: Transaction<Schema>, { orgId, receiptId, now }: Claiming): Promise<void> {
  await sql`
    update download_links link
    set expires_at = ${linkExpiry(now)}
    from purchases purchase
    where purchase.org_id = ${orgId} and purchase.receipt_id = ${receiptId}
      and link.org_id = ${orgId}
      and link.id = (
        select id from download_links
        where org_id = ${orgId} and purchase_id = purchase.id
        order by created_at desc, id desc
        limit 1
      )
  `.execute(trx);
}

interface ReceiptRow extends Omit<OwedReceipt, 'id' | 'orgId' | 'organisation' | 'customer' | 'items'> {
  readonly organisationName: string;
  readonly organisationEmail: string;
  readonly customerName: string;
  readonly customerEmail: string;
}

async function describeReceipt(
  trx: Transaction<Schema>,
  { orgId, receiptId }: Claiming,
): Promise<OwedReceipt> {
  const { rows } = await sql<ReceiptRow>`
    select
      receipt.created_at as "orderedAt",
      receipt.owed_since as "owedSince",
      receipt.attempts,
      receipt.order_number as "orderNumber",
      organisation.name as "organisationName",
      organisation.email as "organisationEmail",
      customer.name as "customerName",
      customer.email as "customerEmail"
    from receipts receipt
    join organisations organisation on organisation.id = receipt.org_id
    join customers customer on customer.org_id = receipt.org_id and customer.id = receipt.customer_id
    where receipt.org_id = ${orgId} and receipt.id = ${receiptId}
  `.execute(trx);
  const [row] = rows;
  if (!row) throw new Error('A receipt vanished while it was being claimed.');
  const { organisationName, organisationEmail, customerName, customerEmail, ...receipt } = row;
  return {
    id: receiptId,
    orgId,
    ...receipt,
    organisation: { name: organisationName, email: organisationEmail },
    customer: { name: customerName, email: customerEmail },
    items: await listItems(trx, orgId, receiptId),
  };
}

async function listItems(
  trx: Transaction<Schema>,
  orgId: string,
  receiptId: string,
): Promise<readonly OwedReceiptItem[]> {
  const { rows } = await sql<Omit<OwedReceiptItem, 'totalSize'> & { readonly totalSize: string }>`
    select
      product.name as "productName",
      version.version,
      files.count as "fileCount",
      files.size as "totalSize",
      purchase.amount,
      purchase.currency,
      link.id as "linkId"
    from purchases purchase
    join products product on product.org_id = purchase.org_id and product.id = purchase.product_id
    left join product_versions version
      on version.org_id = purchase.org_id
        and version.id = coalesce(purchase.version_id, product.active_version_id)
    cross join lateral (
      select count(*)::integer as count, coalesce(sum(size), 0)::text as size from version_files
      where org_id = purchase.org_id and version_id = version.id
    ) files
    cross join lateral (
      select id from download_links
      where org_id = purchase.org_id and purchase_id = purchase.id
      order by created_at desc, id desc
      limit 1
    ) link
    where purchase.org_id = ${orgId} and purchase.receipt_id = ${receiptId}
    order by purchase.id
  `.execute(trx);
  return rows.map((row) => ({ ...row, totalSize: Number(row.totalSize) }));
}

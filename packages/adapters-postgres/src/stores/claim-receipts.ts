import type { OwedReceipt, OwedReceiptItem, ReceiptClaim, ReceiptStatus } from '@handover/domain';
import { linkExpiry } from '@handover/domain';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { columnsOf } from '../columns-of.ts';
import type { Schema } from '../schema.ts';
import { runTransaction } from '../transact.ts';
import { CLAIM_SECONDS } from './claim-renewal.ts';

export interface Claiming {
  readonly orgId: string;
  readonly receiptId: string;
  readonly claimId: string;
  readonly now: Date;
}

/** All are of one organisation, and each of another receipt. The answers are in their order. */
export function claimReceipts(
  db: Kysely<Schema>,
  claimings: readonly Claiming[],
): Promise<readonly ReceiptClaim[]> {
  const orgId = claimings[0]?.orgId ?? '';
  return runTransaction(db, async (trx) => {
    const asked = await takeReceipts(trx, orgId, claimings);
    const taken = claimings.filter(({ receiptId }) => asked.get(receiptId)?.taken);
    if (taken.length > 0) await refreshLinks(trx, orgId, taken);
    const receipts = taken.length > 0 ? await describeReceipts(trx, orgId, taken) : new Map();
    return claimings.map(({ receiptId, claimId, now }): ReceiptClaim => {
      const row = asked.get(receiptId);
      if (!row?.taken) return explainRefusal(row, now);
      const receipt = receipts.get(receiptId);
      if (!receipt) throw new Error('A receipt vanished while it was being claimed.');
      return { kind: 'claimed', claimId, receipt };
    });
  });
}

interface AskedReceipt {
  readonly id: string;
  readonly status: ReceiptStatus;
  readonly nextTryAt: Date;
  readonly claimedUntil: Date | null;
  readonly databaseNow: Date;
  readonly taken: boolean;
}

/**
 * Of many who try at once, each row lets one through: it is locked first, and judged as it is then. By id, as everyone
 * takes receipts.
 */
async function takeReceipts(
  trx: Transaction<Schema>,
  orgId: string,
  claimings: readonly Claiming[],
): Promise<ReadonlyMap<string, AskedReceipt>> {
  const column = columnsOf(claimings);
  const { rows } = await sql<AskedReceipt>`
    with asked as (
      select
        receipt.id, receipt.status, receipt.next_try_at, receipt.claimed_until, claiming.claim_id,
        receipt.status = 'owed' and receipt.next_try_at <= claiming.now
          and (receipt.claimed_until is null or receipt.claimed_until <= now()) as taken
      from unnest(
        ${column('receiptId')}::uuid[],
        ${column('claimId')}::uuid[],
        ${column('now')}::timestamptz[]
      ) as claiming (id, claim_id, now)
      join receipts receipt on receipt.org_id = ${orgId} and receipt.id = claiming.id
      order by receipt.id
      for no key update of receipt
    ),
    claimed as (
      update receipts
      set claim_id = asked.claim_id, claimed_until = now() + make_interval(secs => ${CLAIM_SECONDS})
      from asked
      where receipts.org_id = ${orgId} and receipts.id = asked.id and asked.taken
    )
    select
      id, status, next_try_at as "nextTryAt", claimed_until as "claimedUntil", now() as "databaseNow", taken
    from asked
  `.execute(trx);
  return new Map(rows.map((row) => [row.id, row]));
}

function explainRefusal(receipt: AskedReceipt | undefined, now: Date): ReceiptClaim {
  if (receipt?.status !== 'owed') return { kind: 'settled' };
  const { nextTryAt: due, claimedUntil, databaseNow } = receipt;
  if (claimedUntil && claimedUntil > databaseNow) return { kind: 'not-now', at: claimedUntil };
  return { kind: 'not-now', at: due > now ? due : now };
}

/** Of each purchase the newest link, which is the one that the mail carries: what ran out before stays so. */
async function refreshLinks(
  trx: Transaction<Schema>,
  orgId: string,
  claimings: readonly Claiming[],
): Promise<void> {
  const column = columnsOf(
    claimings.map(({ receiptId, now }) => ({ receiptId, expiresAt: linkExpiry(now) })),
  );
  await sql`
    update download_links link
    set expires_at = claimed.expires_at
    from unnest(${column('receiptId')}::uuid[], ${column('expiresAt')}::timestamptz[])
      as claimed (receipt_id, expires_at)
    cross join lateral (${purchasesOf(orgId, sql`claimed.receipt_id`)}) purchase
    cross join lateral (${newestLink(orgId)}) newest
    where link.org_id = ${orgId} and link.id = newest.id
  `.execute(trx);
}

interface ReceiptRow extends Omit<OwedReceipt, 'orgId' | 'organisation' | 'customer' | 'items'> {
  readonly organisationName: string;
  readonly organisationEmail: string;
  readonly customerName: string;
  readonly customerEmail: string;
}

async function describeReceipts(
  trx: Transaction<Schema>,
  orgId: string,
  claimings: readonly Claiming[],
): Promise<ReadonlyMap<string, OwedReceipt>> {
  const receiptIds = claimings.map(({ receiptId }) => receiptId);
  const { rows } = await sql<ReceiptRow>`
    select
      receipt.id,
      receipt.created_at as "orderedAt",
      receipt.owed_since as "owedSince",
      receipt.attempts,
      receipt.order_number as "orderNumber",
      organisation.name as "organisationName",
      organisation.email as "organisationEmail",
      customer.name as "customerName",
      customer.email as "customerEmail"
    from receipts receipt
    join organisations organisation on organisation.id = ${orgId}
    join customers customer on customer.org_id = ${orgId} and customer.id = receipt.customer_id
    where receipt.org_id = ${orgId} and receipt.id = any(${receiptIds}::uuid[])
  `.execute(trx);
  const items = await listItems(trx, orgId, receiptIds);
  return new Map(
    rows.map(({ organisationName, organisationEmail, customerName, customerEmail, ...receipt }) => [
      receipt.id,
      {
        ...receipt,
        orgId,
        organisation: { name: organisationName, email: organisationEmail },
        customer: { name: customerName, email: customerEmail },
        items: items.get(receipt.id) ?? [],
      },
    ]),
  );
}

interface ItemRow extends Omit<OwedReceiptItem, 'totalSize'> {
  readonly receiptId: string;
  readonly totalSize: string;
}

async function listItems(
  trx: Transaction<Schema>,
  orgId: string,
  receiptIds: readonly string[],
): Promise<ReadonlyMap<string, readonly OwedReceiptItem[]>> {
  const { rows } = await sql<ItemRow>`
    select
      purchase.receipt_id as "receiptId",
      product.name as "productName",
      version.version,
      files.count as "fileCount",
      files.size as "totalSize",
      purchase.amount,
      purchase.currency,
      newest.id as "linkId"
    from unnest(${receiptIds}::uuid[]) as claimed (receipt_id)
    cross join lateral (${purchasesOf(orgId, sql`claimed.receipt_id`)}) purchase
    join products product on product.org_id = ${orgId} and product.id = purchase.product_id
    left join product_versions version
      on version.org_id = ${orgId} and version.id = coalesce(purchase.version_id, product.active_version_id)
    cross join lateral (
      select count(*)::integer as count, coalesce(sum(size), 0)::text as size from version_files
      where org_id = ${orgId} and version_id = version.id
    ) files
    cross join lateral (${newestLink(orgId)}) newest
    order by purchase.id
  `.execute(trx);
  const items = rows.map(({ receiptId, totalSize, ...item }) => ({
    receiptId,
    item: { ...item, totalSize: Number(totalSize) },
  }));
  const byReceipt = Map.groupBy(items, ({ receiptId }) => receiptId);
  return new Map([...byReceipt].map(([id, bought]) => [id, bought.map(({ item }) => item)]));
}

/** Found for each receipt by a look into the index: `offset` keeps the planner from joining by what it guesses. */
function purchasesOf(orgId: string, receiptId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select * from purchases where org_id = ${orgId} and receipt_id = ${receiptId} offset 0`;
}

function newestLink(orgId: string): RawBuilder<unknown> {
  return sql`
    select id from download_links
    where org_id = ${orgId} and purchase_id = purchase.id
    order by created_at desc, id desc
    limit 1`;
}

import { linkExpiry, type PendingReceipt, type PendingReceiptItem } from '@handover/domain';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { columnsOf } from '../../../statements/columns-of.ts';

interface Claimed {
  readonly emailId: string;
  readonly now: Date;
}

/** Renews the 48 hours of the links of claimed receipts, and returns the content of each receipt by id. */
export async function prepareReceipts(
  trx: Transaction<Schema>,
  orgId: string,
  claimed: readonly Claimed[],
): Promise<ReadonlyMap<string, PendingReceipt>> {
  const rows = await fetchReceipts(
    trx,
    orgId,
    claimed.map(({ emailId }) => emailId),
  );
  const items = await refreshLinks(trx, orgId, claimed);
  return new Map(rows.map((row) => [row.id, { ...toReceipt(row), orgId, items: items.get(row.id) ?? [] }]));
}

interface ReceiptRow extends Omit<PendingReceipt, 'kind' | 'orgId' | 'items' | 'delivery'> {
  readonly deliveryId: string | null;
  readonly receivedAt: Date;
  readonly traceContext: string | null;
}

async function fetchReceipts(
  trx: Transaction<Schema>,
  orgId: string,
  receiptIds: readonly string[],
): Promise<readonly ReceiptRow[]> {
  const { rows } = await sql<ReceiptRow>`
    select
      receipt.id,
      receipt.created_at as "orderedAt",
      receipt.pending_since as "pendingSince",
      receipt.attempts,
      receipt.language,
      receipt.order_number as "orderNumber",
      delivery.id as "deliveryId",
      delivery.received_at as "receivedAt",
      delivery.trace_context as "traceContext",
      json_build_object(
        'name', organisation.name,
        'email', organisation.email,
        'language', organisation.language,
        'timeZone', organisation.time_zone
      ) as organisation,
      json_build_object('name', customer.name, 'email', customer.email) as customer
    from outgoing_emails receipt
    join organisations organisation on organisation.id = ${orgId}
    join customers customer on customer.org_id = ${orgId} and customer.id = receipt.customer_id
    left join deliveries delivery on delivery.org_id = ${orgId} and delivery.id = receipt.delivery_id
    where receipt.org_id = ${orgId} and receipt.id = any(${receiptIds}::uuid[])
  `.execute(trx);
  return rows;
}

function toReceipt({
  deliveryId,
  receivedAt,
  traceContext,
  ...receipt
}: ReceiptRow): Omit<PendingReceipt, 'orgId' | 'items'> {
  return {
    ...receipt,
    kind: 'receipt',
    delivery: deliveryId === null ? null : { id: deliveryId, receivedAt, traceContext },
  };
}

interface ItemRow extends Omit<PendingReceiptItem, 'totalSize'> {
  readonly receiptId: string;
  readonly totalSize: string;
}

/**
 * Renews the newest link of each purchase, which is the one in the mail, and returns what the mail lists. Links that
 * expired before stay expired.
 */
async function refreshLinks(
  trx: Transaction<Schema>,
  orgId: string,
  claimed: readonly Claimed[],
): Promise<ReadonlyMap<string, readonly PendingReceiptItem[]>> {
  const column = columnsOf(
    claimed.map(({ emailId, now }) => ({ receiptId: emailId, expiresAt: linkExpiry(now) })),
  );
  const { rows } = await sql<ItemRow>`
    with bought as materialized (
      select claimed.expires_at, purchase.*, newest.id as link_id
      from unnest(${column('receiptId')}::uuid[], ${column('expiresAt')}::timestamptz[])
        as claimed (receipt_id, expires_at)
      cross join lateral (${purchasesOf(orgId, sql`claimed.receipt_id`)}) purchase
      cross join lateral (${newestLink(orgId)}) newest
    ),
    renewed as (
      update download_links link
      set expires_at = bought.expires_at
      from bought
      where link.org_id = ${orgId} and link.id = any(array(select link_id from bought)) and link.id = bought.link_id
    )
    select
      purchase.receipt_id as "receiptId",
      product.name as "productName",
      version.version,
      files.count as "fileCount",
      files.size as "totalSize",
      purchase.amount,
      purchase.currency,
      purchase.link_id as "linkId"
    from bought purchase
    join products product on product.org_id = ${orgId} and product.id = purchase.product_id
    left join product_versions version
      on version.org_id = ${orgId} and version.id = coalesce(purchase.version_id, product.active_version_id)
    cross join lateral (
      select count(*)::integer as count, coalesce(sum(size), 0)::text as size from version_files
      where org_id = ${orgId} and version_id = version.id
    ) files
    order by purchase.id
  `.execute(trx);
  const items = rows.map(({ receiptId, totalSize, ...item }) => ({
    receiptId,
    item: { ...item, totalSize: Number(totalSize) },
  }));
  const byReceipt = Map.groupBy(items, ({ receiptId }) => receiptId);
  return new Map([...byReceipt].map(([id, bought]) => [id, bought.map(({ item }) => item)]));
}

/** Looked up in the index for each receipt: `offset` keeps the planner from a join by its estimates. */
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

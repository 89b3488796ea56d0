import type { PendingReceipt, PendingReceiptItem } from '@handover/domain';
import { MAX_FILES_IN_MAILS } from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';

/** The content of a receipt, except for what was bought. */
export interface ReceiptRow extends Omit<PendingReceipt, 'kind' | 'orgId' | 'items' | 'delivery'> {
  readonly deliveryId: string | null;
  readonly receivedAt: Date;
  readonly traceContext: string | null;
}

/** Needs the tables of `receiptJoins`. */
export const receiptColumns = sql`
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
  json_build_object('name', customer.name, 'email', customer.email) as customer`;

export const receiptJoins = (orgId: string) => sql`
  from outgoing_emails receipt
  join organisations organisation on organisation.id = ${orgId}
  join customers customer on customer.org_id = ${orgId} and customer.id = receipt.customer_id
  left join deliveries delivery on delivery.org_id = ${orgId} and delivery.id = receipt.delivery_id`;

export function toReceipt(
  { deliveryId, receivedAt, traceContext, ...receipt }: ReceiptRow,
  orgId: string,
  items: readonly PendingReceiptItem[],
): PendingReceipt {
  return {
    ...receipt,
    kind: 'receipt',
    orgId,
    items,
    delivery: deliveryId === null ? null : { id: deliveryId, receivedAt, traceContext },
  };
}

export interface ItemRow extends Omit<PendingReceiptItem, 'fileNames'> {
  readonly receiptId: string;
  readonly fileNames: readonly string[] | null;
}

/** The items that receipts list, for rows of `bought` called `purchase`: purchases with their `link_id`. */
export const itemsOfBought = (orgId: string) => sql`
  select
    purchase.receipt_id as "receiptId",
    product.name as "productName",
    version.version,
    files.count as "fileCount",
    files.size as "totalSize",
    files.names as "fileNames",
    purchase.amount::text as amount,
    purchase.currency,
    purchase.link_id as "linkId"
  from bought purchase
  join products product on product.org_id = ${orgId} and product.id = purchase.product_id
  left join product_versions version
    on version.org_id = ${orgId} and version.id = coalesce(purchase.version_id, product.active_version_id)
  cross join lateral (
    select
      count(*)::integer as count, coalesce(sum(size), 0)::float8 as size,
      case when count(display_name) > 0
        then (array_agg(coalesce(display_name, name) order by position, name))[1:${MAX_FILES_IN_MAILS}]
      end as names
    from version_files
    where org_id = ${orgId} and version_id = version.id
  ) files`;

/**
 * Whether a receipt that was not sent lists a row of purchases called `purchase`, given its newest link. Revoked purchases
 * are left out, unless all of the receipt are revoked.
 */
export function isListed(newest: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(${newest}.revoked_at is null or bool_and(${newest}.revoked_at is not null) over (partition by purchase.receipt_id))`;
}

export function toItem({ receiptId: _receipt, fileNames, ...item }: ItemRow): PendingReceiptItem {
  return { ...item, ...(fileNames ? { fileNames } : {}) };
}

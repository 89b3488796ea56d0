import type { Mailing, Mailings, ReceiptStatus, SentReceipt, ShownReceipt } from '@handover/domain';
import { sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { areIds } from '../../../statements/ids.ts';
import { newestLink } from '../purchases/purchase-rows.ts';
import {
  type ItemRow,
  isListed,
  itemsOfBought,
  type ReceiptRow,
  receiptColumns,
  receiptJoins,
  toItem,
  toReceipt,
} from './receipt-rows.ts';

export function readMailings(db: Db): Pick<Mailings, 'find' | 'findAll' | 'showReceipt'> {
  return {
    find: async (orgId, purchaseId) => {
      const [found = null] = areIds(orgId, purchaseId) ? await findMailings(db, orgId, [purchaseId]) : [];
      return found;
    },
    findAll: async (orgId, purchaseIds) =>
      areIds(orgId)
        ? findMailings(
            db,
            orgId,
            purchaseIds.filter((id) => areIds(id)),
          )
        : [],
    showReceipt: (orgId, purchaseId) => showReceipt(db, orgId, purchaseId),
  };
}

/**
 * One statement, so that all of it is of one moment. Purchases of the same receipt have one mailing; a purchase without a receipt
 * has its own.
 */
async function findMailings(
  db: Db,
  orgId: string,
  purchaseIds: readonly string[],
): Promise<readonly Mailing[]> {
  const { rows } = await sql<Mailing>`
    select
      json_build_object('id', customer.id, 'email', customer.email, 'name', customer.name) as customer,
      case when receipt.id is not null
        then json_build_object(
          'id', receipt.id, 'status', receipt.status, 'language', receipt.language, 'answer', receipt.last_answer
        )
      end as receipt,
      (
        select json_agg(
          json_build_object(
            'id', mailed.id,
            'orderNumber', mailed.order_number,
            'productName', product.name,
            'revoked', link.revoked_at is not null
          )
          order by mailed.id
        )
        from (
          select id, product_id, order_number from purchases where org_id = ${orgId} and id = purchase.id
          union
          select id, product_id, order_number from purchases
          where org_id = ${orgId} and receipt_id = purchase.receipt_id
        ) mailed
        join products product on product.org_id = ${orgId} and product.id = mailed.product_id
        cross join lateral ${newestLink(orgId, sql`mailed.id`)} link
      ) as purchases
    from purchases purchase
    join customers customer on customer.org_id = ${orgId} and customer.id = purchase.customer_id
    left join outgoing_emails receipt on receipt.org_id = ${orgId} and receipt.id = purchase.receipt_id
    where purchase.org_id = ${orgId} and purchase.id = any(${purchaseIds}::uuid[])
    order by purchase.id
  `.execute(db);
  return [...new Map(rows.map((mailing) => [mailing.purchases[0]?.id, mailing])).values()];
}

interface ShownRow extends ReceiptRow {
  readonly content: (Omit<SentReceipt, 'worksUntil'> & { readonly worksUntil: string }) | null;
  readonly status: ReceiptStatus;
  readonly sentAt: Date | null;
  readonly items: readonly ItemRow[];
}

/** One statement, so that all of it is of one moment. */
async function showReceipt(db: Db, orgId: string, purchaseId: string): Promise<ShownReceipt | null> {
  if (!areIds(orgId, purchaseId)) return null;
  const { rows } = await sql<ShownRow>`
    with shown as materialized (
      select receipt.* from purchases purchase
      join outgoing_emails receipt on receipt.org_id = ${orgId} and receipt.id = purchase.receipt_id
      where purchase.org_id = ${orgId} and purchase.id = ${purchaseId}
    ),
    bought as materialized (
      select * from (
        select purchase.*, newest.id as link_id, shown.sent_at is not null or ${isListed(sql`newest`)} as is_listed
        from shown
        join purchases purchase on purchase.org_id = ${orgId} and purchase.receipt_id = shown.id
        cross join lateral (
          select id, revoked_at from download_links
          where org_id = ${orgId} and purchase_id = purchase.id
            and (shown.sent_at is null or created_at <= shown.sent_at)
          order by created_at desc, id desc
          limit 1
        ) newest
      ) of_receipt
      where is_listed
    )
    select ${receiptColumns}, receipt.status, receipt.sent_at as "sentAt",
      receipt.sent_content as content, array(
      select to_json(item) from (${itemsOfBought(orgId)} order by purchase.id) item
    ) as items
    ${receiptJoins(orgId)}
    where receipt.org_id = ${orgId} and receipt.id = (select id from shown)
  `.execute(db);
  const [row] = rows;
  if (!row) return null;
  const { status, sentAt, items, content, ...stored } = row;
  const receipt = toReceipt(stored, orgId, items.map(toItem));
  if (!content) return { receipt, status, sentAt, worksUntil: null };
  const { worksUntil, ...said } = content;
  return { receipt: { ...receipt, ...said }, status, sentAt, worksUntil: new Date(worksUntil) };
}

import type { ReceiptStatus, ShownReceipt } from '@handover/domain';
import { sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { areIds } from '../../../statements/ids.ts';
import {
  type ItemRow,
  itemsOfBought,
  type ReceiptRow,
  receiptColumns,
  receiptJoins,
  toItem,
  toReceipt,
} from './receipt-rows.ts';

interface ShownRow extends ReceiptRow {
  readonly status: ReceiptStatus;
  readonly sentAt: Date | null;
  readonly items: readonly ItemRow[];
}

/** One statement, so that all of it is of one moment. */
export async function showReceipt(db: Db, orgId: string, purchaseId: string): Promise<ShownReceipt | null> {
  if (!areIds(orgId, purchaseId)) return null;
  const { rows } = await sql<ShownRow>`
    with shown as materialized (
      select receipt.* from purchases purchase
      join outgoing_emails receipt on receipt.org_id = ${orgId} and receipt.id = purchase.receipt_id
      where purchase.org_id = ${orgId} and purchase.id = ${purchaseId}
    ),
    bought as materialized (
      select purchase.*, newest.id as link_id
      from shown
      join purchases purchase on purchase.org_id = ${orgId} and purchase.receipt_id = shown.id
      cross join lateral (
        select id from download_links
        where org_id = ${orgId} and purchase_id = purchase.id
          and (shown.sent_at is null or created_at <= shown.sent_at)
        order by created_at desc, id desc
        limit 1
      ) newest
    )
    select ${receiptColumns}, receipt.status, receipt.sent_at as "sentAt", array(
      select to_json(item) from (${itemsOfBought(orgId)} order by purchase.id) item
    ) as items
    ${receiptJoins(orgId)}
    where receipt.org_id = ${orgId} and receipt.id = (select id from shown)
  `.execute(db);
  const [row] = rows;
  if (!row) return null;
  const { status, sentAt, items, ...receipt } = row;
  return { receipt: toReceipt(receipt, orgId, items.map(toItem)), status, sentAt };
}

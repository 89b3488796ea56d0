import { linkExpiry, type PendingReceipt } from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../../../database/schema.ts';
import { WITH_NEXT } from '../../../database/transact.ts';
import { unnestRows } from '../../../statements/rows.ts';
import {
  type ItemRow,
  isListed,
  itemsOfBought,
  type ReceiptRow,
  receiptColumns,
  receiptJoins,
  toItem,
  toReceipt,
} from '../../reads/email/receipt-rows.ts';
import { newestLink } from '../../reads/purchases/purchase-rows.ts';

interface Claimed {
  readonly emailId: string;
  readonly now: Date;
}

/**
 * The content of receipts that were created in this transaction, by id. It is known once a later statement was answered, at
 * the latest after the commit.
 */
export async function readReceipts(
  trx: Trx,
  orgId: string,
  receiptIds: readonly string[],
): Promise<() => ReadonlyMap<string, PendingReceipt>> {
  if (receiptIds.length === 0) return () => new Map();
  const rows = await fetchReceipts(trx, orgId, receiptIds);
  const { rows: items } = await sql<ItemRow>`${sql.raw(WITH_NEXT)}
    with bought as materialized (
      select purchase.*, newest.id as link_id
      from unnest(${receiptIds}::uuid[]) as made (receipt_id)
      cross join lateral (${purchasesOf(orgId, sql`made.receipt_id`)}) purchase
      cross join lateral ${newestLink(orgId, sql`purchase.id`)} newest
    )
    ${itemsOfBought(orgId)}
    order by purchase.id
  `.execute(trx);
  return () => joinItems(orgId, rows, items);
}

/** Renews the 48 hours of the links of claimed receipts, and returns the content of each receipt by id. */
export async function prepareReceipts(
  trx: Trx,
  orgId: string,
  claimed: readonly Claimed[],
): Promise<ReadonlyMap<string, PendingReceipt>> {
  const rows = await fetchReceipts(
    trx,
    orgId,
    claimed.map(({ emailId }) => emailId),
  );
  return joinItems(orgId, rows, await refreshLinks(trx, orgId, claimed));
}

function joinItems(
  orgId: string,
  receipts: readonly ReceiptRow[],
  items: readonly ItemRow[],
): ReadonlyMap<string, PendingReceipt> {
  const byReceipt = Map.groupBy(items, ({ receiptId }) => receiptId);
  return new Map(
    receipts.map((row) => [row.id, toReceipt(row, orgId, (byReceipt.get(row.id) ?? []).map(toItem))]),
  );
}

/** The returned array has its rows once the next statement was answered. */
async function fetchReceipts(
  trx: Trx,
  orgId: string,
  receiptIds: readonly string[],
): Promise<readonly ReceiptRow[]> {
  const { rows } = await sql<ReceiptRow>`${sql.raw(WITH_NEXT)}
    select ${receiptColumns}
    ${receiptJoins(orgId)}
    where receipt.org_id = ${orgId} and receipt.id = any(${receiptIds}::uuid[])
  `.execute(trx);
  return rows;
}

/**
 * Renews the newest link of each purchase that the mail lists, which is the link in the mail, and returns those purchases: see
 * `isListed`. Links that have expired are not renewed.
 */
async function refreshLinks(
  trx: Trx,
  orgId: string,
  claimed: readonly Claimed[],
): Promise<readonly ItemRow[]> {
  const renewed = claimed.map(({ emailId, now }) => ({ receiptId: emailId, expiresAt: linkExpiry(now) }));
  const { rows } = await sql<ItemRow>`
    with bought as materialized (
      select mailed.* from (
        select claimed.expires_at as renewed_until, purchase.*, newest.id as link_id, ${isListed(sql`newest`)} as is_listed
        from ${unnestRows(renewed).as('claimed (receipt_id uuid, expires_at timestamptz)')}
        cross join lateral (${purchasesOf(orgId, sql`claimed.receipt_id`)}) purchase
        cross join lateral ${newestLink(orgId, sql`purchase.id`)} newest
      ) mailed
      where is_listed
    ),
    renewed as (
      update download_links link
      set expires_at = bought.renewed_until
      from bought
      where link.org_id = ${orgId} and link.id = any(array(select link_id from bought)) and link.id = bought.link_id
    )
    ${itemsOfBought(orgId)}
    order by purchase.id
  `.execute(trx);
  return rows;
}

/** With `offset 0`, purchases are looked up in the index for each receipt: otherwise the planner may join whole tables. */
function purchasesOf(orgId: string, receiptId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select * from purchases where org_id = ${orgId} and receipt_id = ${receiptId} offset 0`;
}

import {
  type ActivityEntry,
  type BulkQuery,
  ERASED_REASON,
  NAMING_BUYERS,
  subjectOfEntry,
  subjectOfReceipt,
  withoutBuyers,
  withoutBuyersIn,
  withoutQuotes,
} from '@handover/domain';
import { sql } from 'kysely';
import type { Trx } from '../../../database/schema.ts';
import { unnestRows } from '../../../statements/rows.ts';
import type { Erased } from './erase-customer.ts';

/** What sentences of the activity log, and filters of actions that have ended, say about the buyer. */
export async function forgetWords(trx: Trx, erased: Erased): Promise<void> {
  const { orgId, customers, purchaseIds, linkIds, movedPurchaseIds, receiptIds, deliveryIds } = erased;
  const subjects = [...purchaseIds, ...linkIds, ...movedPurchaseIds, ...receiptIds, ...deliveryIds];
  const entries = await sql<Pick<ActivityEntry, 'id' | 'kind' | 'summary' | 'subjectId'>>`
    select id, kind, summary, subject_id as "subjectId" from activity
    where org_id = ${orgId} and subject_id = any(${subjects}::uuid[])
    union all
    select id, kind, summary, subject_id from activity
    where org_id = ${orgId} and subject_id = ${orgId} and kind = any(${NAMING_BUYERS}::text[])
  `.execute(trx);
  const summaries = entries.rows.map((entry) => ({
    id: entry.id,
    summary: withoutBuyersIn(entry, entry.subjectId !== orgId, customers),
  }));
  await sql`
    update activity set summary = known.summary
    from ${unnestRows(summaries).as('known (id uuid, summary text)')}
    where org_id = ${orgId} and activity.id = known.id and activity.summary <> known.summary
  `.execute(trx);
  const runs = await sql<{ readonly id: string; readonly query: BulkQuery }>`
    select id, query::json as query from bulk_actions
    where org_id = ${orgId} and ended_at is not null and query::json->>'text' <> ''
  `.execute(trx);
  const queries = runs.rows.map(({ id, query }) => ({
    id,
    query: JSON.stringify({ ...query, text: withoutBuyers(query.text, customers) }),
  }));
  await sql`
    update bulk_actions set query = known.query
    from ${unnestRows(queries).as('known (id uuid, query text)')}
    where org_id = ${orgId} and bulk_actions.id = known.id
  `.execute(trx);
}

/** What people typed when they dismissed failures of the buyer's orders. */
export async function forgetDismissals(trx: Trx, { orgId, receiptIds, deliveries }: Erased): Promise<void> {
  const subjects = [...receiptIds.map(subjectOfReceipt), ...deliveries.map(subjectOfEntry)];
  await sql`
    update dismissals set reason = ${ERASED_REASON} where org_id = ${orgId} and subject = any(${subjects}::text[])
  `.execute(trx);
}

export async function forgetRequests(trx: Trx, erased: Erased): Promise<void> {
  const { orgId, addresses, purchaseIds, movedPurchaseIds, deliveryIds, bodyIds } = erased;
  await sql`
    update deliveries
    set email_normalized = null, added_email = null, note = null, received_note = null,
      reason = case when reason ~ '[@“]' then ${withoutQuotes('@')} else reason end
    where org_id = ${orgId} and id = any(${deliveryIds}::uuid[])
  `.execute(trx);
  await sql`
    delete from delivery_bodies where org_id = ${orgId} and id = any(${bodyIds}::uuid[])
  `.execute(trx);
  await sql`
    delete from rejected_deliveries where org_id = ${orgId} and email_normalized = any(${addresses}::text[])
  `.execute(trx);
  // It is the form, with the name and the address. The key stays, so that the form cannot be sold again.
  await sql`
    update idempotency_keys set fingerprint = ''
    where org_id = ${orgId} and purchase_id = any(${[...purchaseIds, ...movedPurchaseIds]}::uuid[])
  `.execute(trx);
}

/** The receipts, and what mails to the shop said about the buyer. */
export async function forgetMails(trx: Trx, erased: Erased): Promise<void> {
  const { orgId, addresses, customers, purchaseIds, receiptIds, deliveryIds } = erased;
  await sql`
    update alerts
    set customer_email = null, reason = case when reason ~ '[@“]' then ${withoutQuotes('@')} else reason end
    where org_id = ${orgId} and (
      lower(customer_email) = any(${[...addresses, ...customers.map(({ email }) => email.toLowerCase())]}::text[])
      or delivery_id = any(${deliveryIds}::uuid[])
      or subject_id = any(${receiptIds}::uuid[])
    )
  `.execute(trx);
  await sql`
    update purchases set receipt_id = null where org_id = ${orgId} and id = any(${purchaseIds}::uuid[])
  `.execute(trx);
  await sql`
    delete from outgoing_emails where org_id = ${orgId} and id = any(${receiptIds}::uuid[])
  `.execute(trx);
}

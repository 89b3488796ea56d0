import { explainRefusal, type ReceiptStatus } from '@handover/domain';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { columnsOf } from '../columns-of.ts';
import type { Schema } from '../schema.ts';
import { runTransaction } from '../transact.ts';
import { holdWaitingDeliveries } from './hold-waiting-deliveries.ts';

export interface SentReceipt {
  readonly orgId: string;
  readonly receiptId: string;
  readonly claimId: string;
  readonly at: Date;
  readonly answer: string;
}

/**
 * Notes of receipts that they were sent, and settles the deliveries that waited for them. All are of one organisation, and no
 * two are one receipt. False, with nothing changed, for each whose claim is not held any more. See `settleReceipt` for the
 * order of the rows.
 */
export function settleSent(
  db: Kysely<Schema>,
  receipts: readonly SentReceipt[],
): Promise<readonly boolean[]> {
  const orgId = receipts[0]?.orgId ?? '';
  return runTransaction(db, async (trx) => {
    const settled = await endClaims(trx, orgId, receipts);
    if (settled.size > 0) {
      // An entry that names a purchase is an error only for its receipt: once that is sent after all, whichever entry
      // asked for it, this one is settled too.
      const waiting = await holdWaitingDeliveries(trx, orgId, [...settled], ['pending', 'error']);
      if (waiting.length > 0) await settleDeliveries(trx, orgId, waiting);
    }
    return receipts.map(({ receiptId }) => settled.has(receiptId));
  });
}

/** The ids of those whose claim was held. */
async function endClaims(
  trx: Transaction<Schema>,
  orgId: string,
  receipts: readonly SentReceipt[],
): Promise<ReadonlySet<string>> {
  const column = columnsOf(receipts);
  const { rows } = await sql<{ readonly id: string }>`
    with held as (
      select receipt.id, sent.at, sent.answer
      from unnest(
        ${column('receiptId')}::uuid[],
        ${column('claimId')}::uuid[],
        ${column('at')}::timestamptz[],
        ${column('answer')}::text[]
      ) as sent (id, claim_id, at, answer)
      join receipts receipt
        on receipt.org_id = ${orgId} and receipt.id = sent.id and receipt.claim_id = sent.claim_id
      order by receipt.id
      for no key update of receipt
    )
    update receipts
    set status = 'sent', sent_at = held.at, last_answer = held.answer, last_answer_at = held.at, postponed = false,
      claim_id = null, claimed_until = null
    from held
    where receipts.org_id = ${orgId} and receipts.id = held.id
    returning receipts.id
  `.execute(trx);
  return new Set(rows.map(({ id }) => id));
}

async function settleDeliveries(
  trx: Transaction<Schema>,
  orgId: string,
  deliveryIds: readonly string[],
): Promise<void> {
  const isRefused = hasReceipt(orgId, 'refused');
  await sql`
    update deliveries
    set status = case when ${isRefused} then 'error' else 'success' end,
      reason = case when ${isRefused} then coalesce(reason, ${explainRefusal()}) end
    where org_id = ${orgId} and id = any(${deliveryIds}::uuid[]) and not ${hasReceipt(orgId, 'owed')}
  `.execute(trx);
}

/** Whether an entry names a purchase with such a receipt. */
function hasReceipt(orgId: string, status: ReceiptStatus): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from delivery_lines line
    where line.org_id = ${orgId} and line.delivery_id = deliveries.id
      and (
        select receipt.status from purchases purchase
        join receipts receipt on receipt.org_id = ${orgId} and receipt.id = purchase.receipt_id
        where purchase.org_id = ${orgId} and purchase.id = line.purchase_id
      ) = ${status}
    offset 0
  )`;
}

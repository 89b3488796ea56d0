import type { Alert, Platform, ReceiptOutcome, ReceiptStatus } from '@handover/domain';
import { alertOfRefusal, explainRefusal } from '@handover/domain';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { JobOutbox } from '../job-outbox.ts';
import type { Schema } from '../schema.ts';
import { runTransaction } from '../transact.ts';
import { raiseAlert } from './raise-alert.ts';

interface Settling {
  readonly orgId: string;
  readonly receiptId: string;
  readonly claimId: string;
  readonly outcome: ReceiptOutcome;
}

/**
 * False, with nothing changed, when the claim is not held any more.
 *
 * The receipt's row comes first. A plan that rests on it holds that row until its commit, so by the next
 * statement every such plan's entry is there to be settled; and a plan that comes later finds the receipt as
 * it is now.
 */
export async function settleReceipt(
  db: Kysely<Schema>,
  jobs: JobOutbox,
  settling: Settling,
): Promise<boolean> {
  return runTransaction(db, async (trx) => {
    if (!(await endClaim(trx, settling))) return false;
    const waiting = await lockWaitingDeliveries(trx, settling);
    if (waiting.length > 0) await settleDeliveries(trx, settling, waiting);
    const { orgId, receiptId, outcome } = settling;
    if (outcome.kind === 'refused') {
      await raiseAlert(trx, jobs, await describeRefusal(trx, { orgId, receiptId, outcome }));
    }
    if (outcome.kind === 'try-again' || outcome.kind === 'postponed') {
      await jobs.enqueue(trx, [{ kind: 'send-receipt', orgId, receiptId, startAfter: outcome.nextTryAt }]);
    }
    return true;
  });
}

/** What is said under a claim that somebody else took over says nothing: that one is at it, and says what counts. */
async function endClaim(
  trx: Transaction<Schema>,
  { orgId, receiptId, claimId, outcome }: Settling,
): Promise<boolean> {
  const isOpen = outcome.kind === 'try-again' || outcome.kind === 'postponed';
  const isPostponed = outcome.kind === 'postponed';
  const settled = await trx
    .updateTable('receipts')
    .set({
      claim_id: null,
      claimed_until: null,
      postponed: isPostponed,
      last_answer: isPostponed ? null : outcome.answer,
      last_answer_at: isPostponed ? null : outcome.at,
      ...(outcome.kind === 'sent' && { status: 'sent' as const, sent_at: outcome.at }),
      ...(outcome.kind === 'refused' && { status: 'refused' as const }),
      ...(isOpen && { next_try_at: outcome.nextTryAt }),
      ...(isPostponed && { owed_since: outcome.nextTryAt }),
      ...(outcome.kind !== 'sent' && !isPostponed && { attempts: sql<number>`attempts + 1` }),
    })
    .where('org_id', '=', orgId)
    .where('id', '=', receiptId)
    .where('claim_id', '=', claimId)
    .$if(isOpen, (query) => query.where('status', '=', 'owed'))
    .returning('id')
    .executeTakeFirst();
  return settled !== undefined;
}

/**
 * By id, like everyone. Two receipts of one entry that are settled at once meet here: the second waits, and
 * its next statement sees the first one's receipt as settled.
 *
 * The deliveries that name a purchase are found one after the other, each by one look into an index, for
 * statistics mislead any join: where most lines name a few purchases, the planner expects as much of every
 * purchase, and reads the whole table.
 *
 * An entry that names a purchase is an error only for its receipt: once that is sent after all, whichever entry
 * asked for it, this one is settled too.
 */
async function lockWaitingDeliveries(
  trx: Transaction<Schema>,
  { orgId, receiptId, outcome }: Settling,
): Promise<readonly string[]> {
  const open = outcome.kind === 'sent' ? ['pending', 'error'] : ['pending'];
  const { rows } = await sql<{ readonly id: string }>`
    with recursive bought as materialized (
      select id from purchases where org_id = ${orgId} and receipt_id = ${receiptId}
    ),
    named (purchase_id, delivery_id) as (
      select id, ${NIL}::uuid from bought
      union all
      select line.purchase_id, line.delivery_id
      from named cross join lateral (
        select purchase_id, delivery_id from delivery_lines
        where org_id = ${orgId} and purchase_id is not null
          and (purchase_id, delivery_id) > (named.purchase_id, named.delivery_id)
        order by purchase_id, delivery_id
        limit 1
      ) line
      where line.purchase_id = named.purchase_id
    )
    select id from deliveries
    where org_id = ${orgId} and status = any(${open}::text[]) and decided_at is not null
      and id = any(array(select delivery_id from named))
    order by id
    for no key update
  `.execute(trx);
  return rows.map(({ id }) => id);
}

async function settleDeliveries(
  trx: Transaction<Schema>,
  { orgId, outcome }: Settling,
  deliveryIds: readonly string[],
): Promise<void> {
  const update = trx
    .updateTable('deliveries')
    .where('org_id', '=', orgId)
    .where('id', '=', sql<string>`any(${deliveryIds}::uuid[])`);
  switch (outcome.kind) {
    case 'refused':
      await update.set({ status: 'error', reason: outcome.reason }).execute();
      return;
    case 'try-again':
    case 'postponed':
      await update.set({ reason: outcome.reason }).execute();
      return;
    case 'sent':
      await update
        .set({
          status: sql`case when ${hasReceipt('refused')} then 'error' else 'success' end`,
          reason: sql`case when ${hasReceipt('refused')} then coalesce(reason, ${explainRefusal()}) end`,
        })
        .where(sql<boolean>`not ${hasReceipt('owed')}`)
        .execute();
  }
}

/** Whether an entry names a purchase with such a receipt. */
function hasReceipt(status: ReceiptStatus): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from delivery_lines line
    where line.org_id = deliveries.org_id and line.delivery_id = deliveries.id
      and (
        select receipt.status from purchases purchase
        join receipts receipt on receipt.org_id = purchase.org_id and receipt.id = purchase.receipt_id
        where purchase.org_id = line.org_id and purchase.id = line.purchase_id
      ) = ${status}
    offset 0
  )`;
}

interface RefusalRow {
  readonly connectionId: string | null;
  readonly orderId: string | null;
  readonly orderNumber: string | null;
  readonly customerEmail: string;
  readonly deliveryId: string | null;
  readonly platform: Platform | null;
}

/** With the first entry of the order, to look at. */
async function describeRefusal(
  trx: Transaction<Schema>,
  {
    orgId,
    receiptId,
    outcome,
  }: {
    readonly orgId: string;
    readonly receiptId: string;
    readonly outcome: Extract<ReceiptOutcome, { readonly kind: 'refused' }>;
  },
): Promise<Alert> {
  const { rows } = await sql<RefusalRow>`
    select
      receipt.connection_id as "connectionId",
      receipt.order_id as "orderId",
      receipt.order_number as "orderNumber",
      customer.email as "customerEmail",
      entry.id as "deliveryId",
      entry.platform
    from receipts receipt
    join customers customer on customer.org_id = receipt.org_id and customer.id = receipt.customer_id
    left join lateral (
      select id, platform from deliveries
      where org_id = receipt.org_id and connection_id = receipt.connection_id and order_id = receipt.order_id
      order by id
      limit 1
    ) entry on true
    where receipt.org_id = ${orgId} and receipt.id = ${receiptId}
  `.execute(trx);
  const [row] = rows;
  if (!row) throw new Error('A receipt vanished while it was being settled.');
  const { connectionId, orderId, ...details } = row;
  const { reason, at } = outcome;
  return alertOfRefusal({ orgId, id: receiptId, connectionId, orderId }, { ...details, reason, at });
}

/** Comes before every id. */
const NIL = '00000000-0000-0000-0000-000000000000';

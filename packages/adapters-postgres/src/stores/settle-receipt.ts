import type { Alert, Platform, ReceiptOutcome } from '@handover/domain';
import { alertOfRefusal } from '@handover/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { JobOutbox } from '../job-outbox.ts';
import type { Schema } from '../schema.ts';
import { runTransaction } from '../transact.ts';
import { holdWaitingDeliveries } from './hold-waiting-deliveries.ts';
import { raiseAlert } from './raise-alert.ts';

interface Settling {
  readonly orgId: string;
  readonly receiptId: string;
  readonly claimId: string;
  /** That it was sent is settled for many at once: see `settleSent`. */
  readonly outcome: Exclude<ReceiptOutcome, { readonly kind: 'sent' }>;
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
    const { orgId, receiptId, outcome } = settling;
    const waiting = await holdWaitingDeliveries(trx, orgId, [receiptId], ['pending']);
    if (waiting.length > 0) await settleDeliveries(trx, settling, waiting);
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
      ...(outcome.kind === 'refused' && { status: 'refused' as const }),
      ...(isOpen && { next_try_at: outcome.nextTryAt }),
      ...(isPostponed && { owed_since: outcome.nextTryAt }),
      ...(!isPostponed && { attempts: sql<number>`attempts + 1` }),
    })
    .where('org_id', '=', orgId)
    .where('id', '=', receiptId)
    .where('claim_id', '=', claimId)
    .$if(isOpen, (query) => query.where('status', '=', 'owed'))
    .returning('id')
    .executeTakeFirst();
  return settled !== undefined;
}

async function settleDeliveries(
  trx: Transaction<Schema>,
  { orgId, outcome }: Settling,
  deliveryIds: readonly string[],
): Promise<void> {
  await trx
    .updateTable('deliveries')
    .set({ reason: outcome.reason, ...(outcome.kind === 'refused' && { status: 'error' as const }) })
    .where('org_id', '=', orgId)
    .where('id', '=', sql<string>`any(${deliveryIds}::uuid[])`)
    .execute();
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
    join customers customer on customer.org_id = ${orgId} and customer.id = receipt.customer_id
    left join lateral (
      select id, platform from deliveries
      where org_id = ${orgId} and connection_id = receipt.connection_id and order_id = receipt.order_id
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

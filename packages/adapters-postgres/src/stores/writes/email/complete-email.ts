import type { Alert, AlertDetails, EmailOutcome } from '@handover/domain';
import { alertOfRefusal } from '@handover/domain';
import { sql } from 'kysely';
import type { Db, Trx } from '../../../database/schema.ts';
import { runTransaction } from '../../../database/transact.ts';
import type { JobOutbox } from '../../../jobs/job-outbox.ts';
import { insertActivity } from '../audit/insert-activity.ts';
import { type EndedEmail, forgetEnded, lockWaitingDeliveries } from './complete-sent.ts';
import { raiseAlert } from './raise-alert.ts';

export interface Completion {
  readonly orgId: string;
  readonly emailId: string;
  readonly claimId: string;
  /** Sent e-mails are recorded in batches: see `completeSent`. */
  readonly outcome: Exclude<EmailOutcome, { readonly kind: 'sent' }>;
}

/**
 * Returns false, with nothing changed, if the claim is not held any more.
 *
 * The e-mail's row is locked first. A plan that depends on a receipt holds that row until its commit, so the next
 * statement sees the entry of every such plan, and a later plan sees the receipt as it is now.
 */
export async function completeEmail(db: Db, jobs: JobOutbox, completion: Completion): Promise<boolean> {
  return runTransaction(db, async (trx) => {
    const ended = await endClaim(trx, completion);
    if (!ended) return false;
    const { orgId, emailId, outcome } = completion;
    if (ended.kind === 'receipt') await endReceipt(trx, jobs, completion);
    if (outcome.kind !== 'refused') {
      const job = { kind: 'send-email', emailKind: ended.kind, orgId, emailId } as const;
      await jobs.enqueue(trx, [{ ...job, startAfter: outcome.nextTryAt }]);
    } else if (ended.kind === 'alert') {
      const entry = { id: emailId, at: outcome.at, kind: 'alert-given-up', subjectId: emailId } as const;
      await insertActivity(trx, orgId, [{ ...entry, summary: outcome.reason, via: 'automatic' }]);
    } else await forgetEnded(trx, orgId, [ended]);
    return true;
  });
}

/** An outcome under a claim that another process took over is ignored: the new holder reports. */
async function endClaim(
  trx: Trx,
  { orgId, emailId, claimId, outcome }: Completion,
): Promise<EndedEmail | undefined> {
  const isPostponed = outcome.kind === 'postponed';
  // Invitations show why their mail is delayed.
  const answer = sql<string | null>`case when kind = 'invitation' then ${outcome.answer} end`;
  return trx
    .updateTable('outgoing_emails')
    .set({
      claim_id: null,
      claimed_until: null,
      postponed: isPostponed,
      last_answer: isPostponed ? answer : outcome.answer,
      last_answer_at: isPostponed ? null : outcome.at,
      ...(outcome.kind === 'refused' ? { status: 'refused' } : { next_try_at: outcome.nextTryAt }),
      ...(isPostponed ? { pending_since: outcome.nextTryAt } : { attempts: sql<number>`attempts + 1` }),
    })
    .where('org_id', '=', orgId)
    .where('id', '=', emailId)
    .where('claim_id', '=', claimId)
    .$if(outcome.kind !== 'refused', (query) => query.where('status', '=', 'pending'))
    .returning(['id', 'kind'])
    .executeTakeFirst();
}

async function endReceipt(trx: Trx, jobs: JobOutbox, { orgId, emailId, outcome }: Completion): Promise<void> {
  const waiting = await lockWaitingDeliveries(trx, orgId, [emailId], ['pending']);
  if (waiting.length > 0) await explainDeliveries(trx, orgId, outcome, waiting);
  if (outcome.kind === 'refused') {
    await raiseAlert(trx, jobs, await describeRefusal(trx, orgId, emailId, outcome));
  }
}

/** Stores why these deliveries wait for a receipt; a refused one makes them an error. */
export async function explainDeliveries(
  trx: Trx,
  orgId: string,
  { kind, reason }: Pick<Completion['outcome'], 'kind' | 'reason'>,
  deliveryIds: readonly string[],
): Promise<void> {
  await trx
    .updateTable('deliveries')
    .set({ reason, ...(kind === 'refused' && { status: 'error' as const }) })
    .where('org_id', '=', orgId)
    .where('id', '=', sql<string>`any(${deliveryIds}::uuid[])`)
    .execute();
}

type Refused = Extract<EmailOutcome, { readonly kind: 'refused' }>;

interface RefusalRow extends Omit<AlertDetails, 'reason' | 'at'> {
  readonly connectionId: string | null;
  readonly orderId: string | null;
}

/** Includes the first entry of the order, for a link to it. */
async function describeRefusal(
  trx: Trx,
  orgId: string,
  receiptId: string,
  { reason, at }: Refused,
): Promise<Alert> {
  const { rows } = await sql<RefusalRow>`
    select
      receipt.connection_id as "connectionId",
      receipt.order_id as "orderId",
      receipt.order_number as "orderNumber",
      customer.email as "customerEmail",
      entry.id as "deliveryId",
      entry.platform
    from outgoing_emails receipt
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
  if (!row) throw new Error('A receipt vanished while it was being completed.');
  const { connectionId, orderId, ...details } = row;
  return alertOfRefusal({ orgId, id: receiptId, connectionId, orderId }, { ...details, reason, at });
}

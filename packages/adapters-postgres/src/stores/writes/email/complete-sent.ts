import { type EmailKind, explainRefusal } from '@handover/domain';
import { sql } from 'kysely';
import type { Db, Trx } from '../../../database/schema.ts';
import { isTimeLimit } from '../../../database/store-errors.ts';
import { runTransaction, WITH_NEXT } from '../../../database/transact.ts';
import type { JobOutbox } from '../../../jobs/job-outbox.ts';
import { FIRST_ID } from '../../../statements/ids.ts';
import { unnestRows } from '../../../statements/rows.ts';

export interface SentEmail {
  readonly orgId: string;
  readonly emailId: string;
  readonly claimId: string;
  readonly at: Date;
  readonly answer: string;
  /** The content of a receipt's mail as JSON; null for other kinds. */
  readonly content: string | null;
}

/**
 * Records that e-mails were sent, completes the deliveries that waited for the receipts among them, and ends their jobs: one
 * commit instead of two. All are of one organisation, and each is another e-mail. Returns false, with nothing changed, for each
 * e-mail whose claim is not held any more. See `completeEmail` for the order of the locks.
 */
export async function completeSent(
  db: Db,
  jobs: Pick<JobOutbox, 'removeSent' | 'announceRemoved'>,
  emails: readonly SentEmail[],
): Promise<readonly boolean[]> {
  const { completed, removed } = await recordSent(db, jobs.removeSent, emails).catch((error) => {
    if (db.isTransaction || !isTimeLimit(error)) throw error;
    // A lock on the table of jobs must not delay the record of what was sent: the claim would expire, and the mail would be sent
    // again. The jobs are then ended after their runs, as others are.
    return recordSent(db, async () => () => [], emails);
  });
  jobs.announceRemoved(removed());
  return emails.map(({ emailId }) => completed.has(emailId));
}

function recordSent(db: Db, removeJobs: JobOutbox['removeSent'], emails: readonly SentEmail[]) {
  const orgId = emails[0]?.orgId ?? '';
  return runTransaction(db, async (trx) => {
    const ended = await endClaims(trx, orgId, emails);
    await forgetEnded(trx, orgId, ended);
    const receiptIds = ended.filter(({ kind }) => kind === 'receipt').map(({ id }) => id);
    if (receiptIds.length > 0) {
      // An entry that names a purchase is an error only for its receipt: once that receipt is sent, for any entry,
      // this entry is completed, too.
      const waiting = await lockWaitingDeliveries(trx, orgId, receiptIds, ['pending', 'error']);
      if (waiting.length > 0) await completeDeliveries(trx, orgId, waiting);
    }
    const ids = ended.map(({ id }) => id);
    return { completed: new Set(ids), removed: await removeJobs(trx, orgId, ids) };
  });
}

/** The e-mails whose claim was held. */
async function endClaims(
  trx: Trx,
  orgId: string,
  emails: readonly SentEmail[],
): Promise<readonly EndedEmail[]> {
  const { rows } = await sql<EndedEmail>`
    with held as (
      select email.id, sent.at, sent.answer, sent.content
      from ${unnestRows(emails).as(
        'sent (email_id uuid, claim_id uuid, at timestamptz, answer text, content jsonb)',
      )}
      join outgoing_emails email
        on email.org_id = ${orgId} and email.id = sent.email_id and email.claim_id = sent.claim_id
      order by email.id
      for no key update of email
    )
    update outgoing_emails
    set status = 'sent', sent_at = held.at, last_answer = held.answer, last_answer_at = held.at, postponed = false,
      sent_content = held.content,
      claim_id = null, claimed_until = null
    from held
    where outgoing_emails.org_id = ${orgId} and outgoing_emails.id = held.id
    returning outgoing_emails.id, outgoing_emails.kind
  `.execute(trx);
  return rows;
}

/**
 * Completes each entry according to the receipts of the purchases that it names. Purchases and receipts are looked up one by one,
 * and once for each entry.
 */
async function completeDeliveries(trx: Trx, orgId: string, deliveryIds: readonly string[]): Promise<void> {
  await sql`${sql.raw(WITH_NEXT)}
    update deliveries
    set status = case when receipts.are_refused then 'error' else 'success' end,
      reason = case when receipts.are_refused then coalesce(reason, ${explainRefusal()}) end
    from unnest(${deliveryIds}::uuid[]) as waiting (id)
    cross join lateral (
      select
        coalesce(bool_or(receipt.status = 'refused'), false) as are_refused,
        coalesce(bool_or(receipt.status = 'pending'), false) as are_pending
      from (
        select (
          select email.status from purchases purchase
          join outgoing_emails email on email.org_id = ${orgId} and email.id = purchase.receipt_id
          where purchase.org_id = ${orgId} and purchase.id = line.purchase_id
        ) as status
        from delivery_lines line
        where line.org_id = ${orgId} and line.delivery_id = waiting.id
        offset 0
      ) receipt
    ) receipts
    where deliveries.org_id = ${orgId} and deliveries.id = waiting.id and not receipts.are_pending
  `.execute(trx);
}

/**
 * Locks the deliveries with this status that wait for one of these receipts, and returns their ids.
 *
 * Rows are locked by id, as everywhere. Two receipts of one entry that are completed at once meet here: the second
 * waits, and its next statement sees the first one's receipt as completed.
 *
 * The deliveries that name a purchase are found by one index lookup each, because statistics mislead any join: where
 * most lines name a few purchases, the planner expects as many lines of every purchase, and reads the whole table.
 * The purchases of the receipts are found in the same way.
 */
export async function lockWaitingDeliveries(
  trx: Trx,
  orgId: string,
  receiptIds: readonly string[],
  statuses: readonly ('pending' | 'error')[],
): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly id: string }>`
    with recursive bought as materialized (
      select purchase.id
      from unnest(${receiptIds}::uuid[]) as completed (receipt_id)
      cross join lateral (
        select id from purchases where org_id = ${orgId} and receipt_id = completed.receipt_id offset 0
      ) purchase
    ),
    named (purchase_id, delivery_id) as (
      select id, ${FIRST_ID}::uuid from bought
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
    where org_id = ${orgId} and status = any(${statuses}::text[]) and decided_at is not null
      and id = any(array(select delivery_id from named))
    order by id
    for no key update
  `.execute(trx);
  return rows.map(({ id }) => id);
}

export interface EndedEmail {
  readonly id: string;
  readonly kind: EmailKind;
}

/** Deletes e-mails of some kinds once they have ended: they contain an address, and are not shown any more. */
export async function forgetEnded(trx: Trx, orgId: string, emails: readonly EndedEmail[]): Promise<void> {
  const ids = emails.filter(({ kind }) => FORGOTTEN.has(kind)).map(({ id }) => id);
  if (ids.length === 0) return;
  await sql`delete from outgoing_emails where org_id = ${orgId} and id = any(${ids}::uuid[])`.execute(trx);
}

const FORGOTTEN: ReadonlySet<EmailKind> = new Set(['links', 'sign-in', 'new-device']);

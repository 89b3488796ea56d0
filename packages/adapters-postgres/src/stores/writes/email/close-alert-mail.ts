import type { FormerAlertMail } from '@handover/domain';
import { dueAt, latestDue, whenToMail } from '@handover/domain';
import { sql } from 'kysely';
import type { Trx } from '../../../database/schema.ts';
import type { JobOutbox } from '../../../jobs/job-outbox.ts';
import type { Collecting } from './collected-alerts.ts';
import { evaluateDueAlerts } from './evaluate-due-alerts.ts';
import { joinMail } from './raise-alert.ts';

/**
 * Closes a collecting mail whose row is locked, if it is due. Returns null if no alert is left in it, else the time
 * when it is due: now if this call closed it. At most a page of its alerts is in memory.
 */
export async function closeAlertMail(trx: Trx, jobs: JobOutbox, closing: Collecting): Promise<Date | null> {
  const { orgId, mailId, now } = closing;
  const due = whenToMail(await findFormer(trx, orgId), (await lockAlerts(trx, closing)) ?? now, now);
  if (due > now) return due;
  const isAnyTold = await evaluateDueAlerts(trx, closing);
  const youngerSince = await findYounger(trx, closing);
  if (!isAnyTold && youngerSince) return dueAt(youngerSince);
  if (!isAnyTold) {
    await trx.deleteFrom('outgoing_emails').where('org_id', '=', orgId).where('id', '=', mailId).execute();
    return null;
  }
  await trx
    .updateTable('outgoing_emails')
    .set({ subject: null, pending_since: now })
    .where('org_id', '=', orgId)
    .where('id', '=', mailId)
    .execute();
  if (youngerSince) await moveYounger(trx, jobs, closing, youngerSince);
  return now;
}

async function findFormer(trx: Trx, orgId: string): Promise<FormerAlertMail | null> {
  const former = await trx
    .selectFrom('outgoing_emails')
    .select(['status', 'next_try_at', 'last_answer_at'])
    .where('org_id', '=', orgId)
    .where(sql<boolean>`kind = 'alert' and subject is null`)
    .orderBy('pending_since', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!former) return null;
  const { status, next_try_at: nextTryAt, last_answer_at: answeredAt } = former;
  return { status, nextTryAt, completedAt: status === 'pending' ? null : answeredAt };
}

/**
 * A concurrent transaction that raises one of them again has committed, or waits for this one. Returns the time of
 * the oldest.
 */
async function lockAlerts(trx: Trx, { orgId, mailId }: Collecting): Promise<Date | null> {
  const { rows } = await sql<{ readonly oldest: Date | null }>`
    with locked as (
      select at from alerts where org_id = ${orgId} and mail_id = ${mailId} order by at for update
    )
    select min(at) as oldest from locked
  `.execute(trx);
  return rows[0]?.oldest ?? null;
}

/** The time of the oldest alert that is too young to be checked. */
async function findYounger(trx: Trx, { orgId, mailId, now }: Collecting): Promise<Date | null> {
  const oldest = await trx
    .selectFrom('alerts')
    .select('at')
    .where('org_id', '=', orgId)
    .where('mail_id', '=', mailId)
    .where('at', '>', latestDue(now))
    .orderBy('at')
    .limit(1)
    .executeTakeFirst();
  return oldest?.at ?? null;
}

/** This mail is closed: these alerts start the next one. */
async function moveYounger(
  trx: Trx,
  jobs: JobOutbox,
  { orgId, mailId, now }: Collecting,
  since: Date,
): Promise<void> {
  const next = await joinMail(trx, jobs, { orgId, subjectId: mailId, at: since });
  await trx
    .updateTable('alerts')
    .set({ mail_id: next })
    .where('org_id', '=', orgId)
    .where('mail_id', '=', mailId)
    .where('at', '>', latestDue(now))
    .execute();
}

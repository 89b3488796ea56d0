import type { FormerAlertMail, PendingAlertMail } from '@handover/domain';
import { ALERTS_IN_A_MAIL, dueAt, latestDue, MAX_ALERT_RECIPIENTS, whenToMail } from '@handover/domain';
import { sql } from 'kysely';
import type { Trx } from '../../../database/schema.ts';
import type { JobOutbox } from '../../../jobs/job-outbox.ts';
import { type Collecting, evaluateDueAlerts } from './collected-alerts.ts';
import type { HeldEmail, Preparing } from './prepare-email.ts';
import { joinMail } from './raise-alert.ts';

/**
 * Closes a collecting mail whose row is locked, if it is due. Returns null if no alert is left in it, else the time
 * when it is due: now if this call closed it. At most a page of its alerts is in memory.
 */
async function closeAlertMail(trx: Trx, jobs: JobOutbox, closing: Collecting): Promise<Date | null> {
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

/** Moves alerts that are too young for this mail, which is being closed, to the next one. */
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

/** Closes a collecting mail if it is due. Its row is locked, so every alert that was joining it has committed. */
export async function prepareAlertMail(
  trx: Trx,
  { id, subject, pendingSince, attempts }: HeldEmail,
  { orgId, now }: Preparing,
  jobs: JobOutbox,
): Promise<
  PendingAlertMail | { readonly kind: 'not-pending' } | { readonly kind: 'not-now'; readonly at: Date }
> {
  const mail = { orgId, mailId: id };
  if (subject === null) return describeMail(trx, mail, { pendingSince, attempts });
  const due = await closeAlertMail(trx, jobs, { ...mail, now });
  if (due === null) return { kind: 'not-pending' };
  if (due > now) return { kind: 'not-now', at: due };
  return describeMail(trx, mail, { pendingSince: now, attempts });
}

async function describeMail(
  trx: Trx,
  { orgId, mailId }: { readonly orgId: string; readonly mailId: string },
  tried: Pick<PendingAlertMail, 'pendingSince' | 'attempts'>,
): Promise<PendingAlertMail> {
  const { rows } = await sql<Pick<PendingAlertMail, 'organisationName' | 'to'> & { readonly count: number }>`
    select
      organisation.name as "organisationName",
      coalesce(
        case when organisation.alert_email is not null then array[organisation.alert_email] end,
        array(
          select email from users where org_id = organisation.id and role = 'owner'
          order by email_normalized collate "C" limit ${MAX_ALERT_RECIPIENTS}
        )
      ) as "to",
      (select count(*)::integer from alerts where org_id = ${orgId} and mail_id = ${mailId}) as count
    from organisations organisation
    where organisation.id = ${orgId}
  `.execute(trx);
  const [row] = rows;
  if (!row) throw new Error('An organisation vanished while its alerts were being claimed.');
  const alerts = await trx
    .selectFrom('alerts')
    .select(['cause', 'platform', 'reason', 'at'])
    .select(['delivery_id as deliveryId', 'order_number as orderNumber', 'customer_email as customerEmail'])
    .where('org_id', '=', orgId)
    .where('mail_id', '=', mailId)
    .orderBy('at')
    .orderBy('about')
    .orderBy('cause')
    .limit(ALERTS_IN_A_MAIL)
    .execute();
  const { count, ...mail } = row;
  return { kind: 'alert', id: mailId, orgId, ...mail, alerts, more: count - alerts.length, ...tried };
}

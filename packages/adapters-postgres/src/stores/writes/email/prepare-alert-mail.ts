import type { PendingAlertMail } from '@handover/domain';
import { ALERTS_IN_A_MAIL } from '@handover/domain';
import { sql } from 'kysely';
import type { Trx } from '../../../database/schema.ts';
import type { JobOutbox } from '../../../jobs/job-outbox.ts';
import { closeAlertMail } from './close-alert-mail.ts';
import type { HeldEmail, Preparing } from './prepare-email.ts';

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
          order by email_normalized limit ${MAX_OWNERS}
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

/** A mail has a maximum number of recipients. */
const MAX_OWNERS = 20;

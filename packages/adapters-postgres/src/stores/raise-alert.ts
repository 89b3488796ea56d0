import type { Alert } from '@handover/domain';
import { sql, type Transaction } from 'kysely';
import type { JobOutbox } from '../job-outbox.ts';
import type { Schema } from '../schema.ts';

/**
 * Keeps an alert with what gave cause to it, unless its key is known. It joins the mail that collects, or begins one.
 * That mail's row is the last that a transaction takes: it is held until the commit, so that the mail cannot be
 * closed without this alert.
 */
export async function raiseAlert(trx: Transaction<Schema>, jobs: JobOutbox, alert: Alert): Promise<void> {
  if (!(await insertAlert(trx, alert))) return;
  const { orgId, about, cause, details } = alert;
  const { mailId, isBegun } = await joinMail(trx, alert);
  await trx
    .updateTable('alerts')
    .set({ mail_id: mailId })
    .where('org_id', '=', orgId)
    .where('about', '=', about)
    .where('cause', '=', cause)
    .execute();
  if (isBegun) await jobs.enqueue(trx, [{ kind: 'send-alerts', orgId, mailId, startAfter: details.at }]);
}

async function insertAlert(
  trx: Transaction<Schema>,
  { orgId, about, cause, details }: Alert,
): Promise<boolean> {
  const added = await trx
    .insertInto('alerts')
    .values({
      org_id: orgId,
      about,
      cause,
      delivery_id: details.deliveryId,
      platform: details.platform,
      order_number: details.orderNumber,
      customer_email: details.customerEmail,
      reason: details.reason,
      at: details.at,
    })
    .onConflict((conflict) => conflict.columns(['org_id', 'about', 'cause']).doNothing())
    .returning('about')
    .executeTakeFirst();
  return added !== undefined;
}

async function joinMail(
  trx: Transaction<Schema>,
  { orgId, subjectId, details }: Alert,
): Promise<{ readonly mailId: string; readonly isBegun: boolean }> {
  const { rows } = await sql<{ readonly id: string }>`
    insert into alert_mails (org_id, id, next_try_at) values (${orgId}, ${subjectId}, ${details.at})
    on conflict (org_id) where status = 'collecting' do update set org_id = excluded.org_id
    returning id
  `.execute(trx);
  const [mail] = rows;
  if (!mail) throw new Error('An alert found no mail to join.');
  return { mailId: mail.id, isBegun: mail.id === subjectId.toLowerCase() };
}

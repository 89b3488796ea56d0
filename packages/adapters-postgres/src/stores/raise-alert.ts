import type { Alert, AlertDetails } from '@handover/domain';
import { ripeAt } from '@handover/domain';
import { sql, type Transaction } from 'kysely';
import type { JobOutbox } from '../job-outbox.ts';
import type { Schema } from '../schema.ts';

type Trx = Transaction<Schema>;

/**
 * Keeps an alert with what gave cause to it, unless its key is known. It joins the mail that collects, or begins one.
 * That mail's row is the last that a transaction takes: it is held until the commit, so that the mail cannot be
 * closed without this alert.
 */
export async function raiseAlert(trx: Trx, jobs: JobOutbox, alert: Alert): Promise<void> {
  if (!(await insertAlert(trx, alert))) return;
  const { orgId, about, cause } = alert;
  const { subjectId, details } = alert;
  const mailId = await joinMail(trx, jobs, { orgId, subjectId, at: details.at });
  await trx
    .updateTable('alerts')
    .set({ mail_id: mailId })
    .where('org_id', '=', orgId)
    .where('about', '=', about)
    .where('cause', '=', cause)
    .execute();
}

/**
 * An alert that is known is left as it is, but locked: whoever closes its mail at this moment waits, and then judges by
 * what this transaction did; or he has forgotten it by then, and it is raised anew.
 */
async function insertAlert(trx: Trx, { orgId, about, cause, subjectId, details }: Alert): Promise<boolean> {
  const added = await trx
    .insertInto('alerts')
    .values({
      org_id: orgId,
      about,
      cause,
      subject_id: subjectId,
      delivery_id: details.deliveryId,
      platform: details.platform,
      order_number: details.orderNumber,
      customer_email: details.customerEmail,
      reason: details.reason,
      at: details.at,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['org_id', 'about', 'cause'])
        .doUpdateSet({ at: details.at })
        .where(sql<boolean>`false`),
    )
    .returning('about')
    .executeTakeFirst();
  return added !== undefined;
}

/** The mail that collects, or one that begins with this alert. */
export async function joinMail(
  trx: Trx,
  jobs: JobOutbox,
  { orgId, subjectId, at }: Pick<Alert, 'orgId' | 'subjectId'> & Pick<AlertDetails, 'at'>,
): Promise<string> {
  const wanted = await findFreeId(trx, orgId, subjectId.toLowerCase());
  const startAfter = ripeAt(at);
  const { rows } = await sql<{ readonly id: string }>`
    insert into alert_mails (org_id, id, next_try_at) values (${orgId}, ${wanted}, ${startAfter})
    on conflict (org_id) where status = 'collecting' do update set org_id = excluded.org_id
    returning id
  `.execute(trx);
  const [mail] = rows;
  if (!mail) throw new Error('An alert found no mail to join.');
  if (mail.id === wanted) {
    await jobs.enqueue(trx, [{ kind: 'send-alerts', orgId, mailId: mail.id, startAfter }]);
  }
  return mail.id;
}

/** The same thing may begin a mail more than once: then the latter's id has only the time of it. */
async function findFreeId(trx: Trx, orgId: string, subjectId: string): Promise<string> {
  const taken = await trx
    .selectFrom('alert_mails')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', '=', subjectId)
    .executeTakeFirst();
  return taken ? `${subjectId.slice(0, 19)}${crypto.randomUUID().slice(19)}` : subjectId;
}

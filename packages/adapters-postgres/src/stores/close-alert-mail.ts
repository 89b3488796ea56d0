import type { CollectedAlert, FormerAlertMail } from '@handover/domain';
import { ripeAt, sortAlerts, whenToMail } from '@handover/domain';
import { sql, type Transaction } from 'kysely';
import { columnsOf } from '../columns-of.ts';
import type { JobOutbox } from '../job-outbox.ts';
import type { Schema } from '../schema.ts';
import { listCollected, recallForAlerts } from './collected-alerts.ts';
import { joinMail } from './raise-alert.ts';

type Trx = Transaction<Schema>;

interface Closing {
  readonly orgId: string;
  readonly mailId: string;
  readonly now: Date;
}

/**
 * Closes a mail that collects, whose row is held, if its time has come. Null when nothing is left of it; else when it is
 * due: now if it was closed by this.
 */
export async function closeAlertMail(trx: Trx, jobs: JobOutbox, closing: Closing): Promise<Date | null> {
  const { orgId, mailId, now } = closing;
  const due = whenToMail(await findFormer(trx, orgId), (await lockAlerts(trx, closing)) ?? now, now);
  if (due > now) return due;
  const collected = await listCollected(trx, orgId, mailId);
  const known = await recallForAlerts(trx, orgId, collected);
  const { told, later, dropped } = sortAlerts(collected, known, now);
  await forget(trx, orgId, dropped);
  const [next] = later;
  if (told.length === 0 && next) return ripeAt(next.details.at);
  if (told.length === 0) {
    await trx.deleteFrom('alert_mails').where('org_id', '=', orgId).where('id', '=', mailId).execute();
    return null;
  }
  await rewrite(trx, orgId, told);
  await trx
    .updateTable('alert_mails')
    .set({ status: 'owed', closed_at: now })
    .where('org_id', '=', orgId)
    .where('id', '=', mailId)
    .execute();
  if (next) await moveToNext(trx, jobs, closing, later);
  return now;
}

async function findFormer(trx: Trx, orgId: string): Promise<FormerAlertMail | null> {
  const former = await trx
    .selectFrom('alert_mails')
    .select(['status', 'next_try_at', 'settled_at'])
    .where('org_id', '=', orgId)
    .where('closed_at', 'is not', null)
    .orderBy('closed_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!former || former.status === 'collecting') return null;
  return { status: former.status, nextTryAt: former.next_try_at, settledAt: former.settled_at };
}

/** Whoever raises one of them again at this moment has committed, or waits for us. Answers with the oldest one's time. */
async function lockAlerts(trx: Trx, { orgId, mailId }: Closing): Promise<Date | undefined> {
  const [oldest] = await trx
    .selectFrom('alerts')
    .select('at')
    .where('org_id', '=', orgId)
    .where('mail_id', '=', mailId)
    .orderBy('at')
    .forUpdate()
    .execute();
  return oldest?.at;
}

type Keys = readonly Pick<CollectedAlert, 'about' | 'cause'>[];

/** As if they had never been: nobody was told. */
async function forget(trx: Trx, orgId: string, dropped: Keys): Promise<void> {
  if (dropped.length === 0) return;
  await sql`delete from alerts where org_id = ${orgId} and ${isAmong(dropped)}`.execute(trx);
}

/** What a closed mail says is fixed, so it is written down as it is now. */
async function rewrite(trx: Trx, orgId: string, told: readonly CollectedAlert[]): Promise<void> {
  const column = columnsOf(told.map(({ about, cause, details }) => ({ about, cause, ...details })));
  await sql`
    update alerts set delivery_id = still.delivery_id, reason = still.reason
    from unnest(
      ${column('about')}::text[],
      ${column('cause')}::text[],
      ${column('deliveryId')}::uuid[],
      ${column('reason')}::text[]
    ) as still (about, cause, delivery_id, reason)
    where alerts.org_id = ${orgId} and alerts.about = still.about and alerts.cause = still.cause
      and (alerts.delivery_id, alerts.reason) is distinct from (still.delivery_id, still.reason)
  `.execute(trx);
}

async function moveToNext(
  trx: Trx,
  jobs: JobOutbox,
  { orgId, mailId }: Closing,
  later: readonly CollectedAlert[],
): Promise<void> {
  const [{ details } = { details: null }] = later;
  if (!details) return;
  const next = await joinMail(trx, jobs, { orgId, subjectId: mailId, at: details.at });
  await sql`update alerts set mail_id = ${next} where org_id = ${orgId} and ${isAmong(later)}`.execute(trx);
}

function isAmong(alerts: Keys) {
  const column = columnsOf(alerts);
  return sql`(about, cause) in (
    select * from unnest(${column('about')}::text[], ${column('cause')}::text[])
  )`;
}

import type { AlertMailClaim, OwedAlertMail } from '@handover/domain';
import { ALERTS_IN_A_MAIL } from '@handover/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { JobOutbox } from '../job-outbox.ts';
import type { Schema } from '../schema.ts';
import { runTransaction } from '../transact.ts';
import { CLAIM_SECONDS } from './claim-renewal.ts';
import { closeAlertMail } from './close-alert-mail.ts';

type Trx = Transaction<Schema>;

interface Claiming {
  readonly orgId: string;
  readonly mailId: string;
  readonly claimId: string;
  readonly now: Date;
}

/** The mail's row decides between many who try at once; it also waits for alerts that are joining it. */
export function claimAlertMail(
  db: Kysely<Schema>,
  jobs: JobOutbox,
  claiming: Claiming,
): Promise<AlertMailClaim> {
  return runTransaction(db, async (trx) => {
    const { orgId, mailId, claimId, now } = claiming;
    const mail = await trx
      .selectFrom('alert_mails')
      .selectAll()
      .select(sql<Date>`now()`.as('database_now'))
      .where('org_id', '=', orgId)
      .where('id', '=', mailId)
      .forUpdate()
      .executeTakeFirst();
    if (!mail || mail.status === 'sent' || mail.status === 'refused') return { kind: 'settled' };
    if (mail.claimed_until && mail.claimed_until > mail.database_now) {
      return { kind: 'not-now', at: mail.claimed_until };
    }
    const due = mail.status === 'owed' ? mail.next_try_at : await closeAlertMail(trx, jobs, claiming);
    if (due === null) return { kind: 'settled' };
    const isDue = due <= now;
    const { closed_at: closedAt } = await trx
      .updateTable('alert_mails')
      .set({
        next_try_at: due,
        ...(isDue && {
          claim_id: claimId,
          claimed_until: sql<Date>`now() + make_interval(secs => ${CLAIM_SECONDS})`,
        }),
      })
      .where('org_id', '=', orgId)
      .where('id', '=', mailId)
      .returning('closed_at')
      .executeTakeFirstOrThrow();
    if (!isDue) return { kind: 'not-now', at: due };
    const owed = { owedSince: closedAt ?? now, attempts: mail.attempts };
    return { kind: 'claimed', claimId, mail: await describeMail(trx, claiming, owed) };
  });
}

async function describeMail(
  trx: Trx,
  { orgId, mailId }: Claiming,
  owed: Pick<OwedAlertMail, 'owedSince' | 'attempts'>,
): Promise<OwedAlertMail> {
  const { rows } = await sql<Pick<OwedAlertMail, 'organisationName' | 'to'> & { readonly count: number }>`
    select
      organisation.name as "organisationName",
      coalesce(
        case when organisation.alert_email is not null then array[organisation.alert_email] end,
        array(
          select email from users where org_id = organisation.id and role = 'owner'
          order by email_folded limit ${MOST_OWNERS}
        )
      ) as "to",
      (select count(*)::integer from alerts where org_id = organisation.id and mail_id = ${mailId}) as count
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
  return { id: mailId, orgId, ...mail, alerts, more: count - alerts.length, ...owed };
}

/** A mail has only so many recipients. */
const MOST_OWNERS = 20;

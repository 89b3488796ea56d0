import { ALERT_LIFETIME_MS, type Alert, type AlertDetails, dueAt, subjectOfReceipt } from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../../../database/schema.ts';
import type { JobOutbox } from '../../../jobs/job-outbox.ts';
import { readRow, unnestRows } from '../../../statements/rows.ts';
import { keepsAlert } from '../../reads/fulfilment/rejected-deliveries.ts';
import { isEntryDismissed } from '../../reads/overview/dismissed.ts';

/** The subject of the mail that collects alerts: one per organisation. A closed mail has no subject any more. */
export const COLLECTING = 'collecting';

/** Like `raiseAlerts`, for one alert. */
export function raiseAlert(trx: Trx, jobs: JobOutbox, alert: Alert): Promise<void> {
  return raiseAlerts(trx, jobs, alert.orgId, [alert]);
}

/**
 * Stores alerts of one organisation with their causes, unless their key has not ended. They join the collecting mail, or
 * start one. That mail's row is locked until the commit, so that it cannot be closed without these alerts. Closing
 * locks the mail first and then its alerts, so known alerts are locked last. Of several alerts with one key the first
 * counts. Pass all alerts of a transaction in one call: two transactions that raised the same keys one by one in different orders
 * would deadlock.
 */
export async function raiseAlerts(
  trx: Trx,
  jobs: JobOutbox,
  orgId: string,
  given: readonly Alert[],
): Promise<void> {
  const alerts = [...Map.groupBy(given, nameKey).values()].flatMap(([first]) => first ?? []);
  const known = alerts.length > 1 ? await findKnown(trx, orgId, alerts) : new Set();
  const parts = Map.groupBy(alerts.entries(), ([at]) => known.has(at + 1));
  for (const isKnown of [false, true]) {
    const part = (parts.get(isKnown) ?? []).map(([, alert]) => alert);
    await raiseAll(trx, jobs, orgId, part);
  }
}

/** The positions, from 1, of the alerts whose key has not ended. */
async function findKnown(trx: Trx, orgId: string, alerts: readonly Alert[]): Promise<ReadonlySet<unknown>> {
  const given = alerts.map(({ details, ...alert }, index) => ({
    ...alert,
    at: details.at,
    position: index + 1,
  }));
  const { rows } = await sql<{ readonly at: number }>`
      select given.position as at
      from ${unnestRows(given).as(`given (
        about text, cause text, subject_id uuid, at timestamptz, position integer
      )`)}
      where exists (
        select from alerts
        where org_id = ${orgId} and about = given.about and cause = given.cause and not ${hasKeyEnded(orgId)}
      )
    `.execute(trx);
  return new Set(rows.map(({ at }) => at));
}

async function raiseAll(trx: Trx, jobs: JobOutbox, orgId: string, alerts: readonly Alert[]): Promise<void> {
  if (alerts.length === 0) return;
  const added = await insertAlerts(trx, orgId, alerts);
  const subjects = new Set(added.map(({ subjectId }) => subjectId));
  const first = alerts.find(({ subjectId }) => subjects.has(subjectId.toLowerCase()));
  if (!first) return;
  const { subjectId, details } = first;
  const mailId = await joinMail(trx, jobs, { orgId, subjectId, at: details.at });
  await sql`
      update alerts set mail_id = ${mailId}
      from ${unnestRows(added).as('added (about text, cause text)')}
      where alerts.org_id = ${orgId} and alerts.about = added.about and alerts.cause = added.cause
    `.execute(trx);
}

/**
 * Returns the new alerts: those of a new key, or of one that has ended. Of two transactions that raise an ended key at
 * once, the second waits for the row, and finds it in a collecting mail. An alert whose key has not ended is left unchanged but
 * locked: a concurrent close of its mail waits, and then evaluates the state after this transaction; or it has deleted
 * the alert by then, and the alert is raised again.
 */
async function insertAlerts(trx: Trx, orgId: string, alerts: readonly Alert[]): Promise<readonly Added[]> {
  // Always in the same order, so that two transactions with the same keys do not deadlock.
  const sorted = [...alerts].sort((a, b) => (nameKey(a) < nameKey(b) ? -1 : 1));
  const given = listGiven(sorted);
  // The condition is never true, but PostgreSQL locks a row before it looks at the condition.
  const { rows: inserted } = await sql<Added>`
      insert into alerts (
        org_id, about, cause, subject_id, delivery_id, platform, order_number, customer_email, reason, at
      )
      select ${orgId}::uuid, given.* from ${given}
      on conflict (org_id, about, cause) do update set cause = excluded.cause where false
      returning about, cause, subject_id as "subjectId"
    `.execute(trx);
  return inserted.length === alerts.length
    ? inserted
    : [...inserted, ...(await raiseEnded(trx, orgId, given))];
}

type Added = Pick<Alert, 'about' | 'cause' | 'subjectId'>;

/**
 * Raises the alerts whose key has ended. Separate statements, which see what was committed while the insert waited. Besides,
 * Citus allows no subqueries in `on conflict`.
 */
async function raiseEnded(trx: Trx, orgId: string, given: RawBuilder<unknown>): Promise<readonly Added[]> {
  await replaceDismissed(trx, orgId, given);
  const { rows } = await sql<Added>`
      ${replaceAlerts(orgId, given)} and ${hasKeyEnded(orgId)}
      returning alerts.about, alerts.cause, alerts.subject_id as "subjectId"
    `.execute(trx);
  return rows;
}

/**
 * Replaces alerts that were dismissed while their mail collects: the mail reports the newer one, and so the dismissal does
 * not end the key. They stay in that mail. It is not locked here, because closing it waits for the locked alerts.
 */
async function replaceDismissed(trx: Trx, orgId: string, given: RawBuilder<unknown>): Promise<void> {
  await sql`${replaceAlerts(orgId, given)} and ${isCollecting(orgId)} and ${wasDismissed(orgId)}`.execute(
    trx,
  );
}

function replaceAlerts(orgId: string, given: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
      update alerts set
        subject_id = given.subject_id, delivery_id = given.delivery_id, platform = given.platform,
        order_number = given.order_number, customer_email = given.customer_email,
        reason = given.reason, at = given.at
      from ${given}
      where alerts.org_id = ${orgId} and alerts.about = given.about and alerts.cause = given.cause`;
}

const isCollecting = (orgId: string) => sql`exists (
  select from outgoing_emails mail
  where mail.org_id = ${orgId} and mail.id = alerts.mail_id and mail.subject = ${COLLECTING}
)`;

function listGiven(alerts: readonly Alert[]): RawBuilder<unknown> {
  const given = alerts.map(({ details, ...alert }) => ({ ...alert, ...details }));
  return unnestRows(given).as(`given (
    about text, cause text, subject_id uuid, delivery_id uuid, platform text, order_number text,
    customer_email text, reason text, at timestamptz
  )`);
}

/**
 * `hasKeyEnded` of the domain, in SQL, for a row of `alerts` and the alert `given` that would be raised. Times are compared
 * without a zone: sums of times with a zone are not immutable, and Citus refuses those in an update.
 */
const hasKeyEnded = (orgId: string) => sql`exists (
  select from outgoing_emails mail
  where mail.org_id = ${orgId} and mail.id = alerts.mail_id and mail.status <> 'pending' and (
    (mail.last_answer_at at time zone 'utc')
      <= (given.at at time zone 'utc') - make_interval(secs => ${sql.lit(ALERT_LIFETIME_MS / 1000)})
    or ${wasDismissed(orgId)}
    or alerts.cause = 'rejected' and not exists (
      select from rejected_deliveries kept
      where kept.org_id = ${orgId} and kept.platform = alerts.platform and kept.received_at >= alerts.at
        and kept.id <> given.subject_id and ${keepsAlert(orgId)}
    )
    or alerts.about like 'unreadable %' and not exists (
      select from deliveries told
      join deliveries other on other.org_id = ${orgId} and other.connection_id = told.connection_id
        and other.status = 'error' and other.id >= told.id
      where told.org_id = ${orgId} and told.id = alerts.delivery_id and told.order_id is null
        and other.order_id is null and other.decided_at is null and other.id < given.subject_id
        and not ${isEntryDismissed(orgId, sql`other`)}
    )
  )
)`;

const wasDismissed = (orgId: string) => sql`exists (
  select from dismissals item
  where item.org_id = ${orgId} and item.seen_at >= alerts.at and item.subject = any(${SUBJECTS})
)`;

/**
 * The subjects of dismissals that apply to a row of `alerts`, alone or with others, when `given` would be raised. Both
 * receipts are named, because a later one may have replaced the receipt of the alert.
 */
const SUBJECTS = sql`case alerts.cause
  when 'receipt-refused' then array[
    'refused', ${subjectOfReceipt('')} || alerts.subject_id::text, ${subjectOfReceipt('')} || given.subject_id::text
  ]
  when 'not-delivered' then array['failed', alerts.about]
  when 'unreadable' then array['unreadable', alerts.about]
  when 'rejected' then array['rejecting ' || alerts.platform]
  else '{}'::text[]
end`;

function nameKey({ about, cause }: Pick<Alert, 'about' | 'cause'>): string {
  return `${about} ${cause}`;
}

/** The collecting mail, or a new one that starts with this alert. */
export async function joinMail(
  trx: Trx,
  jobs: JobOutbox,
  { orgId, subjectId, at }: Pick<Alert, 'orgId' | 'subjectId'> & Pick<AlertDetails, 'at'>,
): Promise<string> {
  const wanted = await findFreeId(trx, orgId, subjectId.toLowerCase());
  const startAfter = dueAt(at);
  const mail = await readRow(
    trx,
    sql<{ readonly id: string }>`
      insert into outgoing_emails (org_id, id, kind, subject, pending_since, next_try_at, created_at)
      values (${orgId}, ${wanted}, 'alert', ${COLLECTING}, ${startAfter}, ${startAfter}, ${at})
      on conflict (org_id, kind, subject) where subject is not null do update set org_id = excluded.org_id
      returning id
    `,
  );
  if (mail.id === wanted) {
    await jobs.enqueue(trx, [
      { kind: 'send-email', emailKind: 'alert', orgId, emailId: mail.id, startAfter },
    ]);
  }
  return mail.id;
}

/**
 * A collecting mail gets the id of the subject that starts it. That id can be taken: the same subject can start several
 * mails, and a receipt is an e-mail itself. Then the new id has only the time of the old one.
 */
async function findFreeId(trx: Trx, orgId: string, subjectId: string): Promise<string> {
  const taken = await trx
    .selectFrom('outgoing_emails')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', '=', subjectId)
    .executeTakeFirst();
  return taken ? `${subjectId.slice(0, 19)}${crypto.randomUUID().slice(19)}` : subjectId;
}

import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const CREATE = [
  // Hot and small: rows come and go, and each is changed in between, which needs room beside it. What is gone is cleared
  // away by number, not by share, so that a queue that was full once stays quick.
  `create table jobs (
    kind text not null,
    -- The id of what it is about.
    subject text not null,
    -- Zeros where it belongs to no organisation.
    org_id uuid not null,
    lane text not null,
    attempts integer not null,
    failures integer not null default 0,
    due_at timestamptz(3) not null,
    -- When it is due once more after the run that is under way: it was queued anew meanwhile.
    again_at timestamptz(3),
    lease_id uuid,
    lease_until timestamptz,
    primary key (kind, subject, org_id)
  ) with (
    fillfactor = 50,
    autovacuum_vacuum_scale_factor = 0,
    autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_cost_delay = 0,
    autovacuum_analyze_scale_factor = 0,
    autovacuum_analyze_threshold = 10000
  )`,
  // Holds nothing that a claim changes, so that claims write no index.
  'create index jobs_by_turn on jobs (lane, org_id, due_at)',
];

/**
 * Whoever writes jobs of the former queue ends first, and whoever comes later fails and has recorded nothing. Tables in the
 * order in which a transaction of the former version takes them, the queue last but for what it writes after it.
 */
const LOCK = 'lock table deliveries, sign_ins, pgboss.job, reruns in access exclusive mode';

/** One job of all about the same subject: at the earliest time, with the attempts that were noted last. */
const MOVE = `
  insert into jobs (kind, subject, org_id, lane, attempts, due_at)
  select kind, subject, org_id,
    case
      when kind = 'settle-delivery' or kind = 'fulfil-delivery' and max(attempts) > 0 then 'reruns'
      when kind = 'fulfil-delivery' then 'orders'
      when kind = 'send-receipt' then 'receipts'
      else 'mails'
    end,
    max(attempts), min(due_at)
  from waiting as pending (kind, subject, org_id, attempts, due_at)
  group by kind, subject, org_id
  on conflict (kind, subject, org_id) do update set
    attempts = greatest(jobs.attempts, excluded.attempts),
    lane = case when excluded.attempts > jobs.attempts then excluded.lane else jobs.lane end,
    due_at = least(jobs.due_at, excluded.due_at)`;

const NO_ORGANISATION = `'00000000-0000-0000-0000-000000000000'::uuid`;

const FROM_FORMER_QUEUE = `
  with waiting as (
    select name, coalesce(
        data->>'deliveryId', data->>'receiptId', data->>'mailId', data->>'invitationId', data->>'signInId'
      ),
      coalesce((data->>'orgId')::uuid, ${NO_ORGANISATION}), coalesce((data->>'attempts')::integer, 0), start_after
    from pgboss.job
    where state in ('created', 'retry', 'active') and name in (
      'fulfil-delivery', 'settle-delivery', 'send-receipt', 'send-sign-in-link', 'send-invitation', 'send-alerts',
      'send-link-mail'
    )
  )
  ${MOVE}`;

/** What is pending though its job was lost: from here on that can't be, for a job and what it is about are one transaction. */
const FROM_ROWS = `
  with waiting as (
    select 'fulfil-delivery', id::text, org_id, attempts, now() from deliveries
    where status = 'pending' and decided_at is null
    union all
    select rerun.kind, rerun.delivery_id::text, rerun.org_id, rerun.attempts, rerun.due_at from reruns rerun
    join deliveries entry on entry.org_id = rerun.org_id and entry.id = rerun.delivery_id
      and entry.attempts = rerun.attempts
    join delivery_bodies body on body.org_id = entry.org_id and body.id = entry.body_id and body.bytes is not null
    union all
    select 'send-receipt', id::text, org_id, 0, next_try_at from receipts where status = 'owed'
    union all
    select 'send-alerts', id::text, org_id, 0, next_try_at from alert_mails where status in ('collecting', 'owed')
    union all
    select 'send-link-mail', id::text, ${NO_ORGANISATION}, 0, next_try_at from link_mails
    union all
    select 'send-invitation', id::text, org_id, 0, mail_due_at from invitations
    where mail_status = 'owed' and accepted_at is null and expires_at > now()
    union all
    select 'send-sign-in-link', id::text, ${NO_ORGANISATION}, 0, now() from sign_ins
    where mail_owed and redeemed_at is null and not withdrawn and expires_at > now()
  )
  ${MOVE}`;

const DROP = [
  'drop table reruns, sweep_cursors',
  'drop index sign_ins_to_mail',
  'drop schema if exists pgboss cascade',
];

export const jobs: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { rows } = await sql<{ readonly is: boolean }>`
      select to_regclass('pgboss.job') is not null as is
    `.execute(db);
    const move = rows[0]?.is ? [LOCK, ...CREATE, FROM_FORMER_QUEUE] : CREATE;
    for (const statement of [...move, FROM_ROWS, ...DROP]) await sql.raw(statement).execute(db);
  },
};

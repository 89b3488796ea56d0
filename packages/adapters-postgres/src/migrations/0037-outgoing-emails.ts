import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const NO_ORGANISATION = `'00000000-0000-0000-0000-000000000000'::uuid`;

/** A receipt is an e-mail already: an order writes no row more than before. What only receipts have may be missing. */
const RECEIPTS = [
  'alter table receipts rename to outgoing_emails',
  'alter table outgoing_emails rename constraint receipts_pkey to outgoing_emails_pkey',
  'alter table outgoing_emails rename column owed_since to pending_since',
  'alter table outgoing_emails drop constraint receipts_status_check',
  `alter table outgoing_emails
    alter column customer_id drop not null,
    alter column status set default 'pending',
    add column kind text not null default 'receipt',
    add column invitation_id uuid,
    -- What new links were asked for: a purchase, or an address. Of alerts: that it collects.
    add column subject text,
    -- New links that are made, and whether older purchases had no room.
    add column details jsonb`,
  'alter table outgoing_emails alter column kind drop default',
  `update outgoing_emails set status = 'pending' where status = 'owed'`,
  `alter table outgoing_emails
    add constraint outgoing_emails_status_check check (status in ('pending', 'sent', 'refused')),
    add constraint outgoing_emails_kind_check check (kind in ('receipt', 'links', 'alert', 'invitation', 'sign-in')),
    add constraint outgoing_emails_customer_check check (kind <> 'receipt' or customer_id is not null)`,
  'drop index receipts_owed, receipts_not_sent, receipts_by_sending, postponed_receipts',
  `create index receipts_not_sent on outgoing_emails (org_id, status, id)
    where status <> 'sent' and kind = 'receipt'`,
  `create index receipts_by_sending on outgoing_emails (org_id, sent_at) include (created_at)
    where sent_at is not null and kind = 'receipt'`,
  `create index receipts_postponed on outgoing_emails (org_id, next_try_at)
    where postponed and kind = 'receipt'`,
  // One mail with new links for what was asked for, while it is pending: nothing is kept of it after that. Alerts join the
  // one mail of their organisation that collects.
  `create unique index emails_of_subject on outgoing_emails (org_id, kind, subject) where subject is not null`,
  `create index alert_emails_closed on outgoing_emails (org_id, pending_since desc)
    where kind = 'alert' and subject is null`,
];

/**
 * Mails of alerts were named after the first thing that they are about, which may be a receipt: those get an id of their own,
 * wherever it is written.
 */
const ALERTS = [
  'alter table alerts drop constraint alerts_org_id_mail_id_fkey',
  // A mail that had nothing left to tell may have left its job behind.
  `delete from jobs where kind = 'send-alerts'
    and not exists (select from alert_mails where org_id = jobs.org_id and id::text = jobs.subject)`,
  `create temporary table renamed on commit drop as
    select mail.org_id, mail.id, gen_random_uuid() as new_id
    from alert_mails mail join outgoing_emails email on email.org_id = mail.org_id and email.id = mail.id`,
  `update alert_mails set id = renamed.new_id from renamed
    where alert_mails.org_id = renamed.org_id and alert_mails.id = renamed.id`,
  `update alerts set mail_id = renamed.new_id from renamed
    where alerts.org_id = renamed.org_id and alerts.mail_id = renamed.id`,
  `update activity set id = renamed.new_id, subject_id = renamed.new_id from renamed
    where activity.org_id = renamed.org_id and activity.id = renamed.id and kind = 'alert-given-up'`,
  `update jobs set subject = renamed.new_id::text from renamed
    where jobs.kind = 'send-alerts' and jobs.org_id = renamed.org_id and jobs.subject = renamed.id::text`,
  `insert into outgoing_emails (
      org_id, id, kind, subject, status, attempts, last_answer, last_answer_at, pending_since, next_try_at, claim_id,
      claimed_until, sent_at, created_at
    )
    select
      org_id, id, 'alert', case status when 'collecting' then 'collecting' end,
      case when status in ('owed', 'collecting') then 'pending' else status end, attempts, last_answer, settled_at,
      coalesce(closed_at, next_try_at), next_try_at, claim_id, claimed_until,
      case status when 'sent' then settled_at end, coalesce(closed_at, next_try_at)
    from alert_mails`,
  'drop table alert_mails',
  'alter table alerts add foreign key (org_id, mail_id) references outgoing_emails',
];

const LINKS = [
  `insert into outgoing_emails (
      org_id, id, kind, subject, details, attempts, pending_since, next_try_at, claim_id, claimed_until, created_at
    )
    select
      coalesce(mail.org_id, ${NO_ORGANISATION}), mail.id, 'links', coalesce(mail.purchase_id::text, mail.email_folded),
      case when mail.links_made then json_build_object('leftOut', mail.left_out, 'links', coalesce(brought.links, '[]')) end,
      mail.attempts, mail.owed_since, mail.next_try_at, mail.claim_id, mail.claimed_until, mail.owed_since
    from link_mails mail
    left join lateral (
      select json_agg(json_build_object('orgId', org_id, 'linkId', link_id)) as links
      from link_mail_links where mail_id = mail.id
    ) brought on true`,
  `update jobs set org_id = mail.org_id from link_mails mail
    where jobs.kind = 'send-link-mail' and jobs.subject = mail.id::text and mail.org_id is not null`,
  'drop table link_mail_links, link_mails',
];

const INVITATIONS = [
  `insert into outgoing_emails (
      org_id, id, kind, invitation_id, status, attempts, last_answer, pending_since, next_try_at, claim_id, claimed_until,
      created_at
    )
    select
      org_id, id, 'invitation', id, case mail_status when 'owed' then 'pending' else mail_status end, mail_attempts,
      mail_answer, mail_owed_since, mail_due_at, claim_id, claimed_until, created_at
    from invitations`,
  // One that is withdrawn takes its e-mail along.
  `alter table outgoing_emails
    add foreign key (org_id, invitation_id) references invitations on delete cascade`,
  `create index emails_of_invitations on outgoing_emails (org_id, invitation_id) where invitation_id is not null`,
  `alter table invitations
    drop column mail_status, drop column mail_owed_since, drop column mail_due_at, drop column mail_attempts,
    drop column mail_answer, drop column claim_id, drop column claimed_until`,
];

const SIGN_INS = [
  `insert into outgoing_emails (org_id, id, kind, pending_since, next_try_at, created_at)
    select ${NO_ORGANISATION}, id, 'sign-in', created_at, created_at, created_at from sign_ins
    where mail_owed and redeemed_at is null and not withdrawn and expires_at > now()`,
  'alter table sign_ins drop column mail_owed',
];

const JOBS = [
  `update jobs set kind = 'send-email' where kind in (
    'send-receipt', 'send-alerts', 'send-link-mail', 'send-invitation', 'send-sign-in-link'
  )`,
];

export const outgoingEmails: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of [...RECEIPTS, ...ALERTS, ...LINKS, ...INVITATIONS, ...SIGN_INS, ...JOBS])
      await sql.raw(statement).execute(db);
  },
};

import { NO_ORGANISATION } from '@handover/domain';

const JOBS = [
  ['receipt', 'send-receipt'],
  ['alert', 'send-alerts'],
  ['links', 'send-link-mail'],
  ['invitation', 'send-invitation'],
  ['sign-in', 'send-sign-in-link'],
]
  .map(
    ([kind, job]) =>
      `update jobs set kind = '${job}', org_id = case when '${kind}' = 'links' then '${NO_ORGANISATION}' else jobs.org_id end
       from outgoing_emails email
       where jobs.kind = 'send-email' and jobs.subject = email.id::text and jobs.org_id = email.org_id
         and email.kind = '${kind}';`,
  )
  .join('\n');

/** Makes the database what it was before all e-mails were in one table, with all rows that it has. */
export const WITHOUT_OUTGOING_EMAILS = `
  ${JOBS}
  alter table alerts drop constraint alerts_org_id_mail_id_fkey;
  create table alert_mails as
    select org_id, id,
      case when subject is not null then 'collecting' when status = 'pending' then 'owed' else status end as status,
      attempts, last_answer, next_try_at, case when subject is null then pending_since end as closed_at,
      case when status <> 'pending' then last_answer_at end as settled_at, claim_id, claimed_until
    from outgoing_emails where kind = 'alert';
  alter table alert_mails add primary key (org_id, id);
  alter table alerts add foreign key (org_id, mail_id) references alert_mails on update cascade;
  create table link_mails as
    select id, case when org_id = '${NO_ORGANISATION}' then subject end as email_folded,
      nullif(org_id, '${NO_ORGANISATION}') as org_id,
      case when org_id <> '${NO_ORGANISATION}' then subject::uuid end as purchase_id,
      pending_since as owed_since, attempts, next_try_at, claim_id, claimed_until,
      details is not null as links_made, coalesce((details->>'leftOut')::boolean, false) as left_out
    from outgoing_emails where kind = 'links';
  create table link_mail_links as
    select email.id as mail_id, (link->>'orgId')::uuid as org_id, (link->>'linkId')::uuid as link_id
    from outgoing_emails email, jsonb_array_elements(details->'links') link where kind = 'links';
  alter table invitations
    add mail_status text, add mail_owed_since timestamptz(3), add mail_due_at timestamptz(3),
    add mail_attempts integer, add mail_answer text, add claim_id uuid, add claimed_until timestamptz(3);
  update invitations set
    mail_status = case email.status when 'pending' then 'owed' else email.status end,
    mail_owed_since = pending_since, mail_due_at = next_try_at, mail_attempts = attempts, mail_answer = last_answer,
    claim_id = email.claim_id, claimed_until = email.claimed_until
  from outgoing_emails email where email.org_id = invitations.org_id and email.id = invitations.id;
  alter table sign_ins add mail_owed boolean not null default false;
  update sign_ins set mail_owed = true where id in (select id from outgoing_emails where kind = 'sign-in');
  delete from outgoing_emails where kind <> 'receipt';
  alter table outgoing_emails drop kind, drop invitation_id, drop subject, drop details;
  alter table outgoing_emails drop constraint outgoing_emails_status_check;
  alter table outgoing_emails rename pending_since to owed_since;
  alter table outgoing_emails rename to receipts;
  alter table receipts rename constraint outgoing_emails_pkey to receipts_pkey;
  update receipts set status = 'owed' where status = 'pending';
  alter table receipts
    alter customer_id set not null, alter status set default 'owed',
    add constraint receipts_status_check check (status in ('owed', 'sent', 'refused'));
  create index receipts_owed on receipts (org_id, id) where status = 'owed';
  create index receipts_not_sent on receipts (org_id, status, id) where status <> 'sent';
  create index receipts_by_sending on receipts (org_id, sent_at) include (created_at) where sent_at is not null;
  create index postponed_receipts on receipts (org_id, next_try_at) where postponed;
`;

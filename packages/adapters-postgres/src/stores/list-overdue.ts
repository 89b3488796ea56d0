import type { LostWork } from '@handover/domain';
import { sql } from 'kysely';
import type { Overdue } from './put-back.ts';

/**
 * What should have been done `before` then, of every kind, with the job that does it `at` that time. To guard another kind
 * of work, add it here.
 */
export function listOverdue(
  before: Date,
  at: Date,
): readonly (Overdue & { readonly countsAs: keyof LostWork })[] {
  const ofOrganisations = { isOfOrganisations: true };
  const ofNone = { isOfOrganisations: false };
  return [
    {
      ...ofOrganisations,
      name: 'deliveries',
      countsAs: 'deliveries',
      table: sql`deliveries`,
      condition: sql`status = 'pending' and decided_at is null and received_at < ${before}`,
      toJob: ({ orgId, id, attempts }) => ({
        kind: 'fulfil-delivery',
        orgId,
        deliveryId: id,
        attempts,
        startAfter: at,
      }),
    },
    {
      ...ofOrganisations,
      name: 'receipts',
      countsAs: 'receipts',
      table: sql`receipts`,
      condition: sql`status = 'owed' and next_try_at < ${before} and ${IS_FREE}`,
      toJob: ({ orgId, id }) => ({ kind: 'send-receipt', orgId, receiptId: id, startAfter: at }),
    },
    {
      ...ofOrganisations,
      name: 'alert mails',
      countsAs: 'alertMails',
      table: sql`alert_mails`,
      condition: sql`status in ('collecting', 'owed') and next_try_at < ${before} and ${IS_FREE}`,
      toJob: ({ orgId, id }) => ({ kind: 'send-alerts', orgId, mailId: id, startAfter: at }),
    },
    {
      ...ofNone,
      name: 'link mails',
      countsAs: 'linkMails',
      table: sql`link_mails`,
      condition: sql`next_try_at < ${before} and ${IS_FREE}`,
      toJob: ({ id }) => ({ kind: 'send-link-mail', mailId: id, startAfter: at }),
    },
    {
      ...ofOrganisations,
      name: 'invitations',
      countsAs: 'invitations',
      table: sql`(select *, mail_attempts as attempts from invitations) invitation`,
      condition: sql`mail_status = 'owed' and accepted_at is null and expires_at > ${at}
        and mail_due_at < ${before} and ${IS_FREE}`,
      toJob: ({ orgId, id }) => ({ kind: 'send-invitation', orgId, invitationId: id, startAfter: at }),
    },
    {
      ...ofNone,
      name: 'sign-in links',
      countsAs: 'signInLinks',
      table: sql`(select *, null::uuid as org_id, 0 as attempts from sign_ins) sign_in`,
      condition: sql`mail_owed and redeemed_at is null and not withdrawn and expires_at > ${at}
        and created_at < ${before}`,
      toJob: ({ id }) => ({ kind: 'send-sign-in-link', signInId: id, startAfter: at }),
    },
    ...(['fulfil-delivery', 'settle-delivery'] as const).map(
      (kind): Overdue & { readonly countsAs: 'reruns' } => ({
        ...ofOrganisations,
        name: `reruns to ${kind}`,
        countsAs: 'reruns',
        table: sql`(select org_id, delivery_id as id, attempts, kind, due_at from reruns) rerun`,
        condition: sql`kind = ${kind} and due_at < ${before}`,
        toJob: ({ orgId, id, attempts }) => ({ kind, orgId, deliveryId: id, attempts, startAfter: at }),
      }),
    ),
  ];
}

const IS_FREE = sql`(claimed_until is null or claimed_until <= now())`;

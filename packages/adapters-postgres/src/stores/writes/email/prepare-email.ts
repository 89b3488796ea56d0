import type {
  EmailClaim,
  EmailKind,
  Language,
  PendingEmail,
  PendingInvitationMail,
  PendingNewDeviceMail,
  PendingSignInMail,
} from '@handover/domain';
import { sql } from 'kysely';
import type { Db, Trx } from '../../../database/schema.ts';
import { runTransaction } from '../../../database/transact.ts';
import type { JobOutbox } from '../../../jobs/job-outbox.ts';
import { findOpenSignIn } from '../access/sign-ins.ts';
import { forgetEnded } from './complete-sent.ts';
import type { Claiming } from './outgoing-emails.ts';
import { prepareAlertMail } from './prepare-alert-mail.ts';
import { prepareDownloadLinkEmail } from './prepare-download-link-email.ts';

export interface Preparing extends Claiming {
  readonly newLinkId: () => string;
}

/** The locked row of an e-mail. */
export interface HeldEmail {
  readonly id: string;
  readonly attempts: number;
  readonly pendingSince: Date;
  readonly subject: string | null;
  readonly language: Language | null;
  readonly details: EmailDetails | null;
}

/**
 * What is stored for an e-mail with new links: those links, once they exist, and whether older purchases were left
 * out.
 */
export interface EmailDetails {
  readonly links: readonly { readonly orgId: string; readonly linkId: string }[];
  readonly leftOut: boolean;
}

/** The content of a claimed e-mail; or that it must not be sent, now or at all. */
export type Prepared = PendingEmail | Exclude<EmailClaim, { readonly kind: 'claimed' }>;

type Prepare = (trx: Trx, email: HeldEmail, preparing: Preparing, jobs: JobOutbox) => Promise<Prepared>;

const PREPARE: Readonly<Record<Exclude<EmailKind, 'receipt'>, Prepare>> = {
  links: prepareDownloadLinkEmail,
  alert: prepareAlertMail,
  invitation: prepareInvitation,
  'sign-in': prepareSignIn,
  'new-device': prepareNewDevice,
};

/** Prepares the content of an e-mail under its claim. If it must not be sent, the claim ends. */
export function prepareEmail(
  db: Db,
  jobs: JobOutbox,
  kind: Exclude<EmailKind, 'receipt'>,
  preparing: Preparing,
): Promise<EmailClaim> {
  return runTransaction(db, async (trx) => {
    const { orgId, emailId, claimId, now } = preparing;
    const held = await holdEmail(trx, preparing);
    // Another process has taken over the claim.
    if (!held) return { kind: 'not-now', at: now };
    const email = await PREPARE[kind](trx, held, preparing, jobs);
    if (email.kind !== 'not-pending' && email.kind !== 'not-now') return { kind: 'claimed', claimId, email };
    await trx
      .updateTable('outgoing_emails')
      .set({
        claim_id: null,
        claimed_until: null,
        ...(email.kind === 'not-now' && { next_try_at: email.at }),
      })
      .where('org_id', '=', orgId)
      .where('id', '=', emailId)
      .execute();
    return email;
  });
}

async function holdEmail(trx: Trx, { orgId, emailId, claimId }: Claiming): Promise<HeldEmail | undefined> {
  const { rows } = await sql<HeldEmail>`
    select id, attempts, pending_since as "pendingSince", subject, language, details
    from outgoing_emails
    where org_id = ${orgId} and id = ${emailId} and claim_id = ${claimId}
    for update
  `.execute(trx);
  return rows[0];
}

type Invited = Pick<PendingInvitationMail, 'organisationName' | 'inviter' | 'role' | 'to' | 'expiresAt'>;

/** Completes the e-mail, and keeps its row, if the invitation is not open. */
async function prepareInvitation(
  trx: Trx,
  { id, pendingSince, attempts }: HeldEmail,
  { orgId, now }: Preparing,
): Promise<PendingInvitationMail | { readonly kind: 'not-pending' }> {
  const { rows } = await sql<Invited>`
    select
      organisation.name as "organisationName", coalesce(inviter.name, inviter.email) as inviter, invitation.role,
      json_build_object('email', invitation.email, 'name', invitation.name) as "to",
      invitation.expires_at as "expiresAt"
    from invitations invitation
    join organisations organisation on organisation.id = ${orgId}
    join users inviter on inviter.id = invitation.invited_by
    where invitation.org_id = ${orgId} and invitation.id = ${id}
      and invitation.accepted_at is null and invitation.expires_at > ${now}
  `.execute(trx);
  const [row] = rows;
  return row ? { kind: 'invitation', id, orgId, ...row, pendingSince, attempts } : { kind: 'not-pending' };
}

/** A mail whose link would not let its recipient in is deleted. */
async function prepareSignIn(
  trx: Trx,
  { id, pendingSince, attempts }: HeldEmail,
  { orgId: ofEmail, now }: Preparing,
): Promise<PendingSignInMail | { readonly kind: 'not-pending' }> {
  const signIn = await findOpenSignIn(trx, id, now);
  if (!signIn) {
    await forgetEnded(trx, ofEmail, [{ id, kind: 'sign-in' }]);
    return { kind: 'not-pending' };
  }
  const { orgId, user: to, createdAt: requestedAt } = signIn;
  return { kind: 'sign-in', id, orgId, to, requestedAt, pendingSince, attempts };
}

/** If the device has been removed since, no mail is needed. */
async function prepareNewDevice(
  trx: Trx,
  { id, pendingSince, attempts }: HeldEmail,
  { orgId: ofEmail }: Preparing,
): Promise<PendingNewDeviceMail | { readonly kind: 'not-pending' }> {
  const device = await trx
    .selectFrom('user_devices as device')
    .innerJoin('users', 'users.id', 'device.user_id')
    .select(['users.email', 'users.name', 'users.org_id', 'device.client', 'device.created_at'])
    .where('device.id', '=', id)
    .executeTakeFirst();
  if (!device) {
    await forgetEnded(trx, ofEmail, [{ id, kind: 'new-device' }]);
    return { kind: 'not-pending' };
  }
  const { email, name, org_id: orgId, client, created_at: at } = device;
  return { kind: 'new-device', id, orgId, to: { email, name }, client, at, pendingSince, attempts };
}

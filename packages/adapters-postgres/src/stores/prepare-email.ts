import type { EmailClaim, EmailKind, PendingEmail } from '@handover/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { JobOutbox } from '../job-outbox.ts';
import type { Schema } from '../schema.ts';
import { runTransaction } from '../transact.ts';
import type { Claiming } from './claim-emails.ts';
import { prepareAlertMail } from './prepare-alert-mail.ts';
import { prepareDownloadLinkEmail } from './prepare-download-link-email.ts';
import { prepareInvitation } from './prepare-invitation.ts';
import { prepareSignIn } from './prepare-sign-in.ts';

export interface Preparing extends Claiming {
  readonly newLinkId: () => string;
}

/** The row of an e-mail, which is held. */
export interface HeldEmail {
  readonly id: string;
  readonly attempts: number;
  readonly pendingSince: Date;
  readonly subject: string | null;
  readonly details: EmailDetails | null;
}

/** What is kept of an e-mail with new links: those links, once they are made, and whether older purchases had no room. */
export interface EmailDetails {
  readonly links: readonly { readonly orgId: string; readonly linkId: string }[];
  readonly leftOut: boolean;
}

/** What an e-mail that was taken says; or that it is not to be sent, now or at all. */
export type Prepared = PendingEmail | Exclude<EmailClaim, { readonly kind: 'claimed' }>;

type Prepare = (
  trx: Transaction<Schema>,
  email: HeldEmail,
  preparing: Preparing,
  jobs: JobOutbox,
) => Promise<Prepared>;

const PREPARE: Readonly<Record<Exclude<EmailKind, 'receipt'>, Prepare>> = {
  links: prepareDownloadLinkEmail,
  alert: prepareAlertMail,
  invitation: prepareInvitation,
  'sign-in': prepareSignIn,
};

/** Finds out what an e-mail says, under its claim. Where it is not to be sent, the claim is over. */
export function prepareEmail(
  db: Kysely<Schema>,
  jobs: JobOutbox,
  kind: Exclude<EmailKind, 'receipt'>,
  preparing: Preparing,
): Promise<EmailClaim> {
  return runTransaction(db, async (trx) => {
    const { orgId, emailId, claimId, now } = preparing;
    const held = await holdEmail(trx, preparing);
    // It took so long that somebody else has the claim.
    if (!held) return { kind: 'not-now', at: now };
    const email = await PREPARE[kind](trx, held, preparing, jobs);
    if (email.kind !== 'completed' && email.kind !== 'not-now') return { kind: 'claimed', claimId, email };
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

async function holdEmail(
  trx: Transaction<Schema>,
  { orgId, emailId, claimId }: Claiming,
): Promise<HeldEmail | undefined> {
  const { rows } = await sql<HeldEmail>`
    select id, attempts, pending_since as "pendingSince", subject, details
    from outgoing_emails
    where org_id = ${orgId} and id = ${emailId} and claim_id = ${claimId}
    for update
  `.execute(trx);
  return rows[0];
}

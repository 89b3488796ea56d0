import type {
  ClaimEnd,
  EmailClaim,
  EmailKind,
  EmailOutcome,
  Job,
  OutgoingEmails,
  PendingEmail,
  Stores,
} from '@handover/domain';

/** Claims an e-mail that needs no new links. */
export function claimEmail(
  { outgoingEmails }: Pick<Stores, 'outgoingEmails'>,
  ...asked: readonly [orgId: string, emailId: string, now: Date]
): Promise<EmailClaim> {
  return outgoingEmails.claim(...asked, refuseLinks);
}

function refuseLinks(): never {
  throw new Error('No links are to be made for this e-mail.');
}

/** Claims a due e-mail and completes it, as its job does, but without a mail server. */
export async function completeEmail(
  { outgoingEmails }: { readonly outgoingEmails: OutgoingEmails },
  orgId: string,
  emailId: string,
  now: Date,
  outcome: EmailOutcome,
): Promise<ClaimEnd> {
  const claimId = claimIdOf(await claimEmail({ outgoingEmails }, orgId, emailId, now));
  return outgoingEmails.complete(orgId, emailId, claimId, outcome);
}

/** The id of a claim. Throws if the claim did not succeed. */
export function claimIdOf(claim: { readonly kind: string; readonly claimId?: string }): string {
  if (claim.claimId === undefined) throw new Error(`A mail that was to be claimed: ${claim.kind}`);
  return claim.claimId;
}

/** The claimed e-mail; null if none was claimed, or one of another kind. */
export function emailOf<Kind extends EmailKind>(
  claim: EmailClaim | undefined,
  kind: Kind,
): Extract<PendingEmail, { readonly kind: Kind }> | null {
  if (claim?.kind !== 'claimed' || claim.email.kind !== kind) return null;
  return claim.email as Extract<PendingEmail, { readonly kind: Kind }>;
}

/** The job that sends an e-mail. */
export function emailJob(emailKind: EmailKind, orgId: string, emailId: string, startAfter: Date): EmailJob {
  return { kind: 'send-email', emailKind, orgId, emailId, startAfter };
}

/** A job that sends an e-mail. */
export type EmailJob = Extract<Job, { readonly kind: 'send-email' }>;

/** Whether a job sends an e-mail of that kind. */
export function sendsEmail(emailKind: EmailKind): (job: Job) => job is EmailJob {
  return (job): job is EmailJob => job.kind === 'send-email' && job.emailKind === emailKind;
}

import { AUTOMATIC } from '../model/activity.ts';
import type { PostponedMail } from '../model/mail-answer.ts';
import type { EmailClaim, EmailKind, EmailOutcome, PendingEmail } from '../model/outgoing-email.ts';
import type { OutgoingEmails, WaitingReceipts } from '../ports/mails.ts';
import { prepareAlerts } from './alerts.ts';
import { claimIdOf, endClaim, heldUntil, holdsClaim, releaseClaim, takeClaim } from './claims.ts';
import { prepareNewDevice } from './devices.ts';
import { prepareDownloadLinkEmail } from './download-link-emails.ts';
import { prepareInvitation } from './invitations.ts';
import { COLLECTING, delayEmail, type Memory, queueEmail } from './memory.ts';
import { endReceipt, prepareReceipt } from './receipts.ts';
import type { EmailRow } from './rows.ts';
import { prepareSignIn } from './sign-in.ts';

/** The content of a claimed e-mail; or that it must not be sent, now or at all. */
type Prepared = PendingEmail | Exclude<EmailClaim, { readonly kind: 'claimed' }>;

type Prepare = (memory: Memory, email: EmailRow, now: Date, newLinkId: () => string) => Prepared;

const PREPARE: Readonly<Record<EmailKind, Prepare>> = {
  receipt: prepareReceipt,
  links: prepareDownloadLinkEmail,
  alert: prepareAlerts,
  invitation: prepareInvitation,
  'sign-in': prepareSignIn,
  'new-device': prepareNewDevice,
};

export function createInMemoryOutgoingEmails(memory: Memory): OutgoingEmails {
  const { emails } = memory;
  return {
    claim: async (orgId, emailId, now, newLinkId) => {
      const row = emails.get(emailId);
      if (row?.orgId !== orgId || row.status === 'sent' || row.status === 'refused') {
        return { kind: 'not-pending' };
      }
      const held = heldUntil(row, now);
      if (held) return { kind: 'not-now', at: held };
      if (row.subject !== COLLECTING && row.nextTryAt > now) return { kind: 'not-now', at: row.nextTryAt };
      const email = PREPARE[row.kind](memory, row, now, newLinkId);
      if (email.kind === 'not-pending' || email.kind === 'not-now') return email;
      const claimed = { ...(emails.get(emailId) ?? row), ...takeClaim(row, now) };
      emails.set(emailId, claimed);
      return { kind: 'claimed', claimId: claimIdOf(claimed), email };
    },
    complete: async (orgId, emailId, claimId, outcome) => {
      const row = emails.get(emailId);
      if (row?.orgId !== orgId || !holdsClaim(row, claimId)) return 'not-held';
      const isOpen = outcome.kind === 'try-again' || outcome.kind === 'postponed';
      if (isOpen && row.status !== 'pending') return 'not-held';
      if (isOpen || isKept(row)) emails.set(emailId, endTry(row, outcome));
      else emails.delete(emailId);
      if (row.kind === 'receipt') endReceipt(memory, row, outcome);
      if (row.kind === 'alert' && outcome.kind === 'refused') logGivenUp(memory, row, outcome);
      if (isOpen) queueEmail(memory, row, outcome.nextTryAt);
      return 'completed';
    },
    release: async (orgId, emailId, claimId) => {
      if (emails.get(emailId)?.orgId === orgId) releaseClaim(emails, emailId, claimId);
    },
  };
}

export function createInMemoryWaitingReceipts(memory: Memory): WaitingReceipts {
  return {
    postpone: async (orgId, now, postponed, max) => {
      const due = [...memory.emails.values()]
        .filter((row) => row.orgId === orgId && isPostponedReceipt(row) && !heldUntil(row, now))
        .filter(({ nextTryAt }) => nextTryAt <= now)
        .sort((one, other) => one.nextTryAt.getTime() - other.nextTryAt.getTime())
        .slice(0, max);
      for (const row of due) postponeUnclaimed(memory, row, now, postponed);
      return due.length;
    },
  };
}

function isPostponedReceipt({ kind, status, postponed }: EmailRow): boolean {
  return kind === 'receipt' && status === 'pending' && postponed;
}

function postponeUnclaimed(memory: Memory, row: EmailRow, now: Date, postponed: PostponedMail): void {
  const { until, answer } = postponed;
  memory.emails.set(row.id, { ...row, pendingSince: until, nextTryAt: until });
  endReceipt(memory, row, { kind: 'postponed', at: now, answer, reason: answer, nextTryAt: until });
  delayEmail(memory, row, until);
}

function isKept({ kind }: EmailRow): boolean {
  return kind !== 'links' && kind !== 'sign-in' && kind !== 'new-device';
}

function endTry(row: EmailRow, outcome: EmailOutcome): EmailRow {
  const open = { ...row, ...endClaim(row), postponed: false };
  const { answer } = outcome;
  if (outcome.kind === 'postponed') {
    const { nextTryAt } = outcome;
    // Invitations show why their mail is delayed.
    const untried = { lastAnswer: row.kind === 'invitation' ? answer : null, lastAnswerAt: null };
    return { ...open, ...untried, postponed: true, pendingSince: nextTryAt, nextTryAt };
  }
  const ended = { ...open, lastAnswer: answer, lastAnswerAt: outcome.at };
  if (outcome.kind === 'sent')
    return { ...ended, status: 'sent', sentAt: outcome.at, sentContent: outcome.content ?? null };
  const failed = { ...ended, attempts: row.attempts + 1 };
  return outcome.kind === 'refused'
    ? { ...failed, status: 'refused' }
    : { ...failed, nextTryAt: outcome.nextTryAt };
}

function logGivenUp(
  { activity }: Memory,
  { id, orgId }: EmailRow,
  { at, reason }: Extract<EmailOutcome, { readonly kind: 'refused' }>,
): void {
  const action = { kind: 'alert-given-up', subjectId: id, summary: reason } as const;
  activity.set(id, { id, orgId, at, ...action, ...AUTOMATIC });
}

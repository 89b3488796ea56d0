import type { Clock, LimitedMailer, MailClaim, MailCounts, Mailer } from '../ports.ts';
import { type LapsedClaim, maySend } from './mail-claim.ts';
import { hourOf, type MailKind, maxBefore, type PostponedMail, postponeMail } from './mail-limit.ts';
import type { MailAnswer } from './receipt.ts';

/**
 * The one place where mails are counted: a mailer that hands on what the organisation may still send in this hour, and
 * postpones the rest. A try that the mail server did not take is taken back, so that an outage uses nothing up. What is
 * left of a claim is looked at after the count, which may take long.
 */
export function limitMails(mailer: Mailer, ports: LimitPorts): LimitedMailer {
  const limited = (
    kind: MailKind,
    orgIds: readonly string[],
    send: () => Promise<MailAnswer>,
    { askedAt }: MailClaim,
  ) =>
    sendWithin<MailAnswer | LapsedClaim>(ports, { kind, orgIds }, () =>
      maySend(askedAt, ports.clock.now()) ? send() : LAPSED,
    );
  return {
    sendReceipt: (mail, claim) =>
      limited('receipt', [mail.orgId], () => mailer.sendReceipt(mail, claim), claim),
    // It is one mail: the first of its shops that has any left answers for it, so that none keeps another's from going.
    sendLinkMail: (mail, claim) =>
      limited(
        'links',
        mail.shops.map(({ orgId }) => orgId),
        () => mailer.sendLinkMail(mail, claim),
        claim,
      ),
    sendAlerts: (mail, claim) => limited('alert', [mail.orgId], () => mailer.sendAlerts(mail, claim), claim),
    sendInvitation: (mail, claim) =>
      limited('invitation', [mail.orgId], () => mailer.sendInvitation(mail, claim), claim),
    sendSignInLink: (mail) =>
      sendWithin(ports, { kind: 'sign-in', orgIds: mail.orgId === null ? [] : [mail.orgId] }, () =>
        mailer.sendSignInLink(mail),
      ),
  };
}

interface LimitPorts {
  readonly clock: Clock;
  readonly mailCounts: MailCounts;
  readonly maxMailsPerHour: number;
}

const LAPSED: Promise<LapsedClaim> = Promise.resolve({ kind: 'claim-lapsed' });

async function sendWithin<Answer extends MailAnswer | LapsedClaim>(
  { clock, mailCounts, maxMailsPerHour }: LimitPorts,
  { kind, orgIds }: { readonly kind: MailKind; readonly orgIds: readonly string[] },
  send: () => Promise<Answer>,
): Promise<Answer | PostponedMail> {
  if (orgIds.length === 0) return send();
  const { startsAt, endsAt } = hourOf(clock.now());
  for (const orgId of orgIds) {
    if (!(await mailCounts.take(orgId, startsAt, maxBefore(kind, maxMailsPerHour)))) continue;
    const answer = await send();
    if (answer.kind === 'try-again' || answer.kind === 'claim-lapsed') {
      await mailCounts.giveBack(orgId, startsAt);
    }
    return answer;
  }
  return postponeMail(maxMailsPerHour, endsAt);
}

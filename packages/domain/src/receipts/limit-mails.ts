import type { Clock, LimitedMailer, MailCounts, Mailer } from '../ports.ts';
import { hourOf, type MailKind, maxBefore, type PostponedMail, postponeMail } from './mail-limit.ts';
import type { MailAnswer } from './receipt.ts';

/**
 * The one place where mails are counted: a mailer that hands on what the organisation may still send in this hour, and
 * postpones the rest. A try that the mail server did not take is taken back, so that an outage uses nothing up.
 */
export function limitMails(
  mailer: Mailer,
  ports: { readonly clock: Clock; readonly mailCounts: MailCounts; readonly maxMailsPerHour: number },
): LimitedMailer {
  const limited = (kind: MailKind, orgIds: readonly string[], send: () => Promise<MailAnswer>) =>
    sendWithin(ports, { kind, orgIds }, send);
  return {
    sendReceipt: (mail) => limited('receipt', [mail.orgId], () => mailer.sendReceipt(mail)),
    // It is one mail: the first of its shops that has any left answers for it, so that none keeps another's from going.
    sendLinkMail: (mail) =>
      limited(
        'links',
        mail.shops.map(({ orgId }) => orgId),
        () => mailer.sendLinkMail(mail),
      ),
    sendAlerts: (mail) => limited('alert', [mail.orgId], () => mailer.sendAlerts(mail)),
    sendInvitation: (mail) => limited('invitation', [mail.orgId], () => mailer.sendInvitation(mail)),
    sendSignInLink: (mail) =>
      limited('sign-in', mail.orgId === null ? [] : [mail.orgId], () => mailer.sendSignInLink(mail)),
  };
}

async function sendWithin(
  {
    clock,
    mailCounts,
    maxMailsPerHour,
  }: { readonly clock: Clock; readonly mailCounts: MailCounts; readonly maxMailsPerHour: number },
  { kind, orgIds }: { readonly kind: MailKind; readonly orgIds: readonly string[] },
  send: () => Promise<MailAnswer>,
): Promise<MailAnswer | PostponedMail> {
  if (orgIds.length === 0) return send();
  const { startsAt, endsAt } = hourOf(clock.now());
  for (const orgId of orgIds) {
    if (!(await mailCounts.take(orgId, startsAt, maxBefore(kind, maxMailsPerHour)))) continue;
    const answer = await send();
    if (answer.kind === 'try-again') await mailCounts.giveBack(orgId, startsAt);
    return answer;
  }
  return postponeMail(maxMailsPerHour, endsAt);
}

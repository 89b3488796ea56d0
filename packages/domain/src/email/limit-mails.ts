import type { LapsedClaim, MailAnswer, PostponedMail } from '../model/mail-answer.ts';
import type { EmailMessage } from '../model/outgoing-email.ts';
import type { Clock } from '../ports/clock.ts';
import type { LimitedMailer, MailCounts, Mailer } from '../ports/mails.ts';
import { maySend } from './mail-claim.ts';
import { hourOf, maxBefore, postponeMail } from './mail-limit.ts';

/**
 * The one place where mails are counted: a mailer that hands on what the organisation may still send in this hour, and
 * postpones the rest. A try that the mail server did not take is taken back, so that an outage uses nothing up. What is
 * left of a claim is looked at after the count, which may take long.
 */
export function limitMails(mailer: Mailer, ports: LimitPorts): LimitedMailer {
  return {
    send: (mail, claim) =>
      sendWithin(ports, mail, async () =>
        maySend(claim.askedAt, ports.clock.now()) ? mailer.send(mail, claim) : { kind: 'claim-lapsed' },
      ),
  };
}

interface LimitPorts {
  readonly clock: Clock;
  readonly mailCounts: MailCounts;
  readonly maxMailsPerHour: number;
}

async function sendWithin(
  { clock, mailCounts, maxMailsPerHour }: LimitPorts,
  mail: EmailMessage,
  send: () => Promise<MailAnswer | LapsedClaim>,
): Promise<MailAnswer | LapsedClaim | PostponedMail> {
  const orgIds = listOrganisations(mail);
  if (orgIds.length === 0) return send();
  const { startsAt, endsAt } = hourOf(clock.now());
  for (const orgId of orgIds) {
    if (!(await mailCounts.take(orgId, startsAt, maxBefore(mail.kind, maxMailsPerHour)))) continue;
    const answer = await send();
    if (answer.kind === 'try-again' || answer.kind === 'claim-lapsed') {
      await mailCounts.giveBack(orgId, startsAt);
    }
    return answer;
  }
  return postponeMail(maxMailsPerHour, endsAt);
}

/** One mail counts once: the first of its shops that has any left answers for it, so that none keeps another's from going. */
function listOrganisations(mail: EmailMessage): readonly string[] {
  if (mail.kind === 'links') return mail.shops.map(({ orgId }) => orgId);
  return mail.orgId === null ? [] : [mail.orgId];
}

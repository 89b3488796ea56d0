import type { ExpiredClaim, MailAnswer, PostponedMail } from '../model/mail-answer.ts';
import type { EmailKind, EmailMessage } from '../model/outgoing-email.ts';
import type { Clock } from '../ports/clock.ts';
import type { LimitedMailer, MailCounts, Mailer, WaitingReceipts } from '../ports/mails.ts';
import { maySend } from './send-email.ts';

/**
 * A mailer that sends the mails that the organisation may still send in this hour, and postpones the rest. Mails are counted
 * only here. A try that no mail server accepted is subtracted again, so that an outage does not use up the limit. The claim
 * is checked after counting, because counting can take long.
 */
export function limitMails(mailer: Mailer, ports: LimitPorts): LimitedMailer {
  const postponeOthers = createPostponement(ports);
  return {
    send: async (mail, claim) => {
      const answer = await sendWithin(ports, mail, async () =>
        maySend(claim.askedAt, ports.clock.now()) ? mailer.send(mail, claim) : { kind: 'claim-expired' },
      );
      if (answer.kind === 'postponed' && mail.kind === 'receipt') await postponeOthers(mail.orgId, answer);
      return answer;
    },
  };
}

const MAX_POSTPONED_AT_ONCE = 1000;

/**
 * Postpones all receipts of an organisation that are due again, after one of them has found the hour full. Otherwise each of
 * them would be claimed only to be postponed, in every hour. Resolves at once while it does so already.
 */
function createPostponement({ clock, waitingReceipts }: LimitPorts) {
  const inProgress = new Set<string>();
  return async (orgId: string, postponed: PostponedMail): Promise<void> => {
    if (inProgress.has(orgId)) return;
    inProgress.add(orgId);
    try {
      let count = MAX_POSTPONED_AT_ONCE;
      // At the end of the hour they are due again, and some of them can be sent.
      for (
        let now = clock.now();
        count === MAX_POSTPONED_AT_ONCE && now < postponed.until;
        now = clock.now()
      ) {
        count = await waitingReceipts.postpone(orgId, now, postponed, MAX_POSTPONED_AT_ONCE);
      }
    } catch {
      // Their own jobs postpone them, or the next mail that is postponed.
    } finally {
      inProgress.delete(orgId);
    }
  };
}

interface LimitPorts {
  readonly clock: Clock;
  readonly mailCounts: Pick<MailCounts, 'giveBack' | 'take'>;
  readonly waitingReceipts: WaitingReceipts;
  readonly maxMailsPerHour: number;
}

async function sendWithin(
  { clock, mailCounts, maxMailsPerHour }: LimitPorts,
  mail: EmailMessage,
  send: () => Promise<MailAnswer | ExpiredClaim>,
): Promise<MailAnswer | ExpiredClaim | PostponedMail> {
  const orgIds = listOrganisations(mail);
  if (orgIds.length === 0) return send();
  const { startsAt, endsAt } = hourOf(clock.now());
  for (const orgId of orgIds) {
    if (!(await mailCounts.take(orgId, startsAt, maxBefore(mail.kind, maxMailsPerHour)))) continue;
    const answer = await send();
    if (answer.kind === 'try-again' || answer.kind === 'claim-expired') {
      await mailCounts.giveBack(orgId, startsAt);
    }
    return answer;
  }
  return postponeMail(maxMailsPerHour, endsAt);
}

/** The organisations that a mail can count for: it counts once, for the first of them that has not reached its limit. */
function listOrganisations(mail: EmailMessage): readonly string[] {
  if (mail.kind === 'links') return mail.shops.map(({ orgId }) => orgId);
  return mail.orgId === null ? [] : [mail.orgId];
}

/** The default limit of mails per organisation and hour. */
export const DEFAULT_MAILS_PER_HOUR = 5000;

/**
 * The number of mails in an hour at which further mails of this kind are postponed; null: they are never postponed.
 *
 * Mails to buyers, which strangers can cause, stop at the limit. Another tenth is reserved for mails to the organisation's own
 * users, so that they learn about a flood of receipts. Sign-ins are never postponed: their links work for minutes, addresses
 * are throttled, and somebody must be able to sign in to stop the flood. Mails of all kinds are counted.
 */
export function maxBefore(kind: EmailKind, maxPerHour: number): number | null {
  switch (kind) {
    case 'receipt':
    case 'links':
      return maxPerHour;
    case 'alert':
    case 'invitation':
      return maxPerHour + Math.ceil(maxPerHour / 10);
    case 'sign-in':
    case 'new-device':
      return null;
  }
}

const HOUR_MS = 60 * 60 * 1000;

/** The UTC hour that contains a time. */
export function hourOf(at: Date): { readonly startsAt: Date; readonly endsAt: Date } {
  const start = Math.floor(at.getTime() / HOUR_MS) * HOUR_MS;
  return { startsAt: new Date(start), endsAt: new Date(start + HOUR_MS) };
}

function postponeMail(maxPerHour: number, until: Date): PostponedMail {
  const time = until.toISOString().slice(11, 16);
  const limit = maxPerHour.toLocaleString('en-GB');
  const answer = `The limit of ${limit} mails an hour is reached, so this one waits until ${time} UTC.`;
  return { kind: 'postponed', until, answer };
}

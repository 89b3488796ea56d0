import type { Clock, DownloadTokens, Ids, LimitedMailer, LinkMails } from '../ports.ts';
import { nextTryAt } from '../receipts/decide-receipt.ts';
import { type ClaimEnd, sendUnderClaim } from '../receipts/mail-claim.ts';
import type { PostponedMail } from '../receipts/mail-limit.ts';
import type { MailAnswer } from '../receipts/receipt.ts';
import type { LinkMail, LinkMailOutcome, OwedLinkMail } from './link-mail.ts';

/** As of a receipt. */
export type SendLinkMailResult =
  | { readonly kind: 'answered'; readonly answer: MailAnswer | PostponedMail; readonly end: ClaimEnd }
  | { readonly kind: 'settled' }
  | { readonly kind: 'not-now'; readonly at: Date };

/**
 * The job behind every mail with new links: takes it, mails it, notes what the mail server said. The claim keeps two
 * jobs for one mail from sending it twice.
 */
export async function sendLinkMail(
  ports: {
    readonly clock: Clock;
    readonly ids: Ids;
    readonly linkMails: LinkMails;
    readonly mailer: Pick<LimitedMailer, 'sendLinkMail'>;
    readonly tokens: DownloadTokens;
  },
  mailId: string,
): Promise<SendLinkMailResult> {
  const { clock, ids, linkMails, mailer, tokens } = ports;
  const askedAt = clock.now();
  const claim = await linkMails.claim(mailId, askedAt, () => ids.next());
  if (claim.kind !== 'claimed') return claim;
  const { claimId, mail } = claim;
  const answer = await sendUnderClaim(
    () => mailer.sendLinkMail(composeLinkMail(mail, tokens), { claimId, askedAt }),
    () => linkMails.release(mailId, claimId),
  );
  if (!answer) return { kind: 'not-now', at: clock.now() };
  const end = await linkMails.settle(mailId, claimId, decideLinkMail(mail, answer, clock.now()));
  return { kind: 'answered', answer, end };
}

/** As a receipt is, it is tried for three days; then the buyer asks again, or writes to the shop. */
export function decideLinkMail(
  mail: Pick<OwedLinkMail, 'attempts' | 'owedSince'>,
  answer: MailAnswer | PostponedMail,
  now: Date,
): LinkMailOutcome {
  if (answer.kind === 'postponed') return { kind: 'postponed', nextTryAt: answer.until };
  const next = answer.kind === 'try-again' ? nextTryAt(mail, now) : null;
  return next ? { kind: 'try-again', nextTryAt: next } : { kind: 'done' };
}

function composeLinkMail({ id, to, shops, leftOut }: OwedLinkMail, tokens: DownloadTokens): LinkMail {
  return {
    mailId: id,
    to,
    shops: shops.map(({ orgId, name, email, items }) => ({
      orgId,
      name,
      replyTo: email,
      items: items.map(({ linkId, ...item }) => ({ ...item, downloadUrl: tokens.url(orgId, linkId) })),
    })),
    leftOut,
    myUrl: tokens.myUrl(),
  };
}

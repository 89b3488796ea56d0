import type { Alerts, Clock, LimitedMailer } from '../ports.ts';
import { type ClaimEnd, sendUnderClaim } from '../receipts/mail-claim.ts';
import type { PostponedMail } from '../receipts/mail-limit.ts';
import type { MailAnswer } from '../receipts/receipt.ts';
import type { AlertMail, OwedAlertMail } from './alert-mail.ts';
import { decideAlertMail } from './decide-alert-mail.ts';

export interface SendAlertsPorts {
  readonly clock: Clock;
  readonly alerts: Alerts;
  readonly mailer: Pick<LimitedMailer, 'sendAlerts'>;
  /** Root address of the service, without a slash at the end. */
  readonly siteUrl: string;
}

/**
 * As of a receipt. `isGivenUp`: it is not tried again.
 */
export type SendAlertsResult =
  | {
      readonly kind: 'answered';
      readonly answer: MailAnswer | PostponedMail;
      readonly isGivenUp: boolean;
      readonly end: ClaimEnd;
    }
  | { readonly kind: 'settled' }
  | { readonly kind: 'not-now'; readonly at: Date };

/** The job behind every mail of alerts: as a receipt's, but that the mail collects until its time has come. */
export async function sendAlerts(
  ports: SendAlertsPorts,
  { orgId, mailId }: { readonly orgId: string; readonly mailId: string },
): Promise<SendAlertsResult> {
  const { clock, alerts, mailer, siteUrl } = ports;
  const askedAt = clock.now();
  const claim = await alerts.claim(orgId, mailId, askedAt);
  if (claim.kind !== 'claimed') return claim;
  const { claimId, mail } = claim;
  const answer = await sendUnderClaim(
    () => mailer.sendAlerts(composeMail(mail, siteUrl), { claimId, askedAt }),
    () => alerts.release(orgId, mailId, claimId),
  );
  if (!answer) return { kind: 'not-now', at: clock.now() };
  const outcome = decideAlertMail(mail, answer, clock.now());
  const end = await alerts.settle(orgId, mailId, claimId, outcome);
  return { kind: 'answered', answer, isGivenUp: outcome.kind === 'refused', end };
}

function composeMail(mail: OwedAlertMail, siteUrl: string): AlertMail {
  return {
    mailId: mail.id,
    orgId: mail.orgId,
    organisationName: mail.organisationName,
    to: mail.to,
    alerts: mail.alerts.map(({ deliveryId, ...alert }) => ({
      ...alert,
      url:
        deliveryId === null
          ? `${siteUrl}/dashboard/purchases`
          : `${siteUrl}/dashboard/webhook-log/${deliveryId}`,
    })),
    more: mail.more,
    logUrl: `${siteUrl}/dashboard/webhook-log`,
  };
}

import type { Alerts, Clock, LimitedMailer } from '../ports.ts';
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
 * `isGivenUp`: it is not tried again. `settled`: there is nothing to mail (any more). `not-now`: ask again at that
 * time.
 */
export type SendAlertsResult =
  | { readonly kind: 'answered'; readonly answer: MailAnswer | PostponedMail; readonly isGivenUp: boolean }
  | { readonly kind: 'settled' }
  | { readonly kind: 'not-now'; readonly at: Date };

/** The job behind every mail of alerts: as a receipt's, but that the mail collects until its time has come. */
export async function sendAlerts(
  ports: SendAlertsPorts,
  { orgId, mailId }: { readonly orgId: string; readonly mailId: string },
): Promise<SendAlertsResult> {
  const claim = await ports.alerts.claim(orgId, mailId, ports.clock.now());
  if (claim.kind !== 'claimed') return claim;
  const answer = await ports.mailer.sendAlerts(composeMail(claim.mail, ports.siteUrl));
  const outcome = decideAlertMail(claim.mail, answer, ports.clock.now());
  await ports.alerts.settle(orgId, mailId, outcome);
  return { kind: 'answered', answer, isGivenUp: outcome.kind === 'refused' };
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

import type { AlertMail, PendingAlertMail } from '../model/alert-mail.ts';
import type { DownloadLinkEmail, PendingDownloadLinkEmail } from '../model/download-link-email.ts';
import type { InvitationMail, PendingInvitationMail } from '../model/invitation.ts';
import type { EmailMessage, PendingEmail } from '../model/outgoing-email.ts';
import type { PendingReceipt, ReceiptMail } from '../model/receipt.ts';
import type { PendingSignInMail, SignInMail } from '../model/sign-in.ts';
import type { SignInTokens } from '../ports/access.ts';
import type { DownloadTokens } from '../ports/downloads.ts';
import type { InvitationTokens } from '../ports/invitations.ts';

/** What turns the ids in an e-mail into addresses. */
export interface ComposePorts {
  readonly tokens: DownloadTokens;
  readonly invitationTokens: InvitationTokens;
  readonly signInTokens: SignInTokens;
  /** Root address of the service, without a slash at the end. */
  readonly siteUrl: string;
}

/** Lays out what an e-mail says, with the addresses that its links get. */
export function composeEmail(email: PendingEmail, ports: ComposePorts): EmailMessage {
  switch (email.kind) {
    case 'receipt':
      return composeReceipt(email, ports.tokens);
    case 'links':
      return composeDownloadLinkEmail(email, ports.tokens);
    case 'alert':
      return composeAlerts(email, ports.siteUrl);
    case 'invitation':
      return composeInvitation(email, ports.invitationTokens);
    case 'sign-in':
      return composeSignIn(email, ports.signInTokens);
  }
}

function composeAlerts(mail: PendingAlertMail, siteUrl: string): AlertMail {
  return {
    kind: 'alert',
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

function composeDownloadLinkEmail(
  { id, to, shops, leftOut }: PendingDownloadLinkEmail,
  tokens: DownloadTokens,
): DownloadLinkEmail {
  return {
    kind: 'links',
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

function composeReceipt(receipt: PendingReceipt, tokens: DownloadTokens): ReceiptMail {
  return {
    kind: 'receipt',
    mailId: receipt.id,
    orgId: receipt.orgId,
    organisation: { name: receipt.organisation.name, replyTo: receipt.organisation.email },
    to: receipt.customer,
    orderNumber: receipt.orderNumber,
    orderedAt: receipt.orderedAt,
    items: receipt.items.map(({ linkId, ...item }) => ({
      ...item,
      downloadUrl: tokens.url(receipt.orgId, linkId),
    })),
    myUrl: tokens.myUrl(),
  };
}

function composeInvitation(
  { id, pendingSince, attempts: _attempts, ...mail }: PendingInvitationMail,
  tokens: InvitationTokens,
): InvitationMail {
  return { ...mail, mailId: `${id}-${pendingSince.getTime()}`, url: tokens.url(mail.orgId, id) };
}

function composeSignIn(
  { kind, id, orgId, to, requestedAt }: PendingSignInMail,
  tokens: SignInTokens,
): SignInMail {
  return { kind, mailId: id, orgId, to, url: tokens.url(id), requestedAt };
}

import type { AlertMail, PendingAlertMail } from '../model/alert.ts';
import { linkExpiry } from '../model/download-link.ts';
import type { DownloadLinkEmail, PendingDownloadLinkEmail } from '../model/download-link-email.ts';
import type { InvitationMail, PendingInvitationMail } from '../model/invitation.ts';
import { chooseLanguage, DEFAULT_TIME_ZONE } from '../model/language.ts';
import type { EmailMessage, PendingEmail } from '../model/outgoing-email.ts';
import type { PendingReceipt, ReceiptMail } from '../model/receipt.ts';
import type { NewDeviceMail, PendingNewDeviceMail, PendingSignInMail, SignInMail } from '../model/sign-in.ts';
import type { LinkAddresses } from '../ports/downloads.ts';
import type { InvitationTokens } from '../ports/invitations.ts';
import type { SignInTokens } from '../ports/tokens.ts';

/** The ports that turn the ids in an e-mail into URLs. */
export interface ComposePorts {
  readonly tokens: LinkAddresses;
  readonly invitationTokens: Pick<InvitationTokens, 'url'>;
  readonly signInTokens: Pick<SignInTokens, 'url'>;
  /** The root URL of the service, without a slash at the end. */
  readonly siteUrl: string;
}

/** Builds the content of an e-mail that was claimed at `claimedAt`, with the URLs of its links. */
export async function composeEmail(
  email: PendingEmail,
  ports: ComposePorts,
  claimedAt: Date,
): Promise<EmailMessage> {
  switch (email.kind) {
    case 'receipt':
      return composeReceipt(email, ports.tokens, linkExpiry(claimedAt));
    case 'links':
      return composeDownloadLinkEmail(email, ports.tokens, linkExpiry(claimedAt));
    case 'alert':
      return composeAlerts(email, ports.siteUrl);
    case 'invitation':
      return composeInvitation(email, ports.invitationTokens);
    case 'sign-in':
      return composeSignIn(email, ports.signInTokens);
    case 'new-device':
      return composeNewDevice(email, ports.siteUrl);
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
      url: `${siteUrl}/dashboard/${pageOf({ deliveryId, ...alert })}`,
    })),
    more: mail.more,
    logUrl: `${siteUrl}/dashboard/webhook-log`,
  };
}

/** The page of the dashboard for an alert, below `/dashboard/`. */
function pageOf({ cause, platform, orderNumber, deliveryId }: PendingAlertMail['alerts'][number]): string {
  if (cause === 'rejected') return `settings/integrations/${platform}/rejected`;
  if (cause === 'unreadable' && orderNumber === null) return 'webhook-log?status=error';
  return deliveryId === null ? 'purchases' : `webhook-log/${deliveryId}`;
}

async function composeDownloadLinkEmail(
  { id, to, language, shops, leftOut, opensLibrary }: PendingDownloadLinkEmail,
  tokens: LinkAddresses,
  worksUntil: Date,
): Promise<DownloadLinkEmail> {
  const addressed = shops.map(async ({ orgId, name, email, items }) => ({
    orgId,
    name,
    replyTo: email,
    items: await addressItems(orgId, items, tokens),
  }));
  return {
    kind: 'links',
    mailId: id,
    // Shops are sorted by their newest purchase, so the first one is the most recent.
    language: chooseLanguage(language, shops[0]?.language),
    timeZone: shops[0]?.timeZone ?? DEFAULT_TIME_ZONE,
    worksUntil,
    to,
    shops: await Promise.all(addressed),
    leftOut,
    libraryUrl: opensLibrary ? await findLibrary(shops, to.email, tokens) : null,
    myUrl: tokens.myUrl(),
  };
}

/** The URL of the library, which the newest link opens. */
async function findLibrary(
  shops: PendingDownloadLinkEmail['shops'],
  email: string,
  tokens: LinkAddresses,
): Promise<string | null> {
  const [shop] = shops;
  const [newest] = shop?.items ?? [];
  return (shop && newest && (await tokens.libraryUrl?.(shop.orgId, newest.linkId, email))) ?? null;
}

/** Builds the content of a receipt whose links expire at `worksUntil` if none is opened. */
export async function composeReceipt(
  receipt: PendingReceipt,
  tokens: LinkAddresses,
  worksUntil: Date,
): Promise<ReceiptMail> {
  const { organisation } = receipt;
  return {
    kind: 'receipt',
    mailId: receipt.id,
    orgId: receipt.orgId,
    language: chooseLanguage(receipt.language, organisation.language),
    timeZone: organisation.timeZone ?? DEFAULT_TIME_ZONE,
    worksUntil,
    organisation: { name: organisation.name, replyTo: organisation.email },
    to: receipt.customer,
    orderNumber: receipt.orderNumber,
    orderedAt: receipt.orderedAt,
    items: await addressItems(receipt.orgId, receipt.items, tokens),
    myUrl: tokens.myUrl(),
  };
}

/** Replaces the id of each item's link by its URL. */
function addressItems<Item extends { readonly linkId: string }>(
  orgId: string,
  items: readonly Item[],
  tokens: LinkAddresses,
) {
  return Promise.all(
    items.map(async ({ linkId, ...item }) => ({ ...item, downloadUrl: await tokens.url(orgId, linkId) })),
  );
}

function composeInvitation(
  { id, pendingSince, attempts: _attempts, ...mail }: PendingInvitationMail,
  tokens: ComposePorts['invitationTokens'],
): InvitationMail {
  return { ...mail, mailId: `${id}-${pendingSince.getTime()}`, url: tokens.url(mail.orgId, id) };
}

function composeSignIn(
  { kind, id, orgId, to, requestedAt }: PendingSignInMail,
  tokens: ComposePorts['signInTokens'],
): SignInMail {
  return { kind, mailId: id, orgId, to, url: tokens.url(id), requestedAt };
}

function composeNewDevice(
  { kind, id, orgId, to, client, at }: PendingNewDeviceMail,
  siteUrl: string,
): NewDeviceMail {
  return { kind, mailId: id, orgId, to, client, at, url: `${siteUrl}/dashboard/settings/security` };
}

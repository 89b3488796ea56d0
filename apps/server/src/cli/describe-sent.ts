import { join } from 'node:path';
import type { DeliveryListRow, Platform, Platforms } from '@handover/domain';
import type { OpenedInfrastructure } from '../composition/open-infrastructure.ts';
import { formatCommand, formatOption } from './command-text.ts';
import type { SentRequest } from './send-signed.ts';

interface SampleOrder {
  readonly platform: Platform;
  readonly orgId: string;
  readonly orderId: string;
  readonly sku: string;
  readonly email: string;
  /** The slug of a product that an unknown SKU may stand for; null: the organisation has none. */
  readonly product: string | null;
}

type Installation = {
  readonly settings: Pick<OpenedInfrastructure['settings'], 'siteUrl' | 'dataDir'>;
} & Pick<OpenedInfrastructure, 'server'>;

/** Describes what happened to an order that was sent once or twice, and what to do next. */
export function describeSent(
  platforms: Platforms,
  installation: Installation,
  order: SampleOrder,
  sent: SentRequest,
  again: SentRequest | null,
): readonly string[] {
  const { platform, orderId, sku } = order;
  return [
    `Order ${orderId} for ${sku} went to ${installation.settings.siteUrl} as ${platforms.vendorOf(platform)} would send it.`,
    ...describeAnswer(sent),
    ...(again
      ? ['The same request was sent again: an order is delivered once, however often it arrives.']
      : []),
    ...(again ? describeAnswer(again) : []),
    adviseNext(installation, order, (again ?? sent).entry),
  ];
}

function describeAnswer({ status, answer, entry }: SentRequest): readonly string[] {
  return [
    `The server answered ${status}: ${JSON.stringify(answer)}`,
    `The webhook log says: ${describeEntry(entry)}`,
  ];
}

function describeEntry(entry: DeliveryListRow | null): string {
  if (!entry) return 'nothing; there is no entry.';
  const { status, reason, note } = entry;
  return [`${status}.`, reason, note].filter((sentence) => sentence !== null).join(' ');
}

function adviseNext(
  installation: Installation,
  { platform, orgId, orderId, sku, email, product }: SampleOrder,
  entry: DeliveryListRow | null,
): string {
  const page = `  ${installation.settings.siteUrl}/dashboard/webhook-log/${entry?.id}`;
  const again = `Next: fix this, then deliver it again, on the page of its entry:\n${page}`;
  switch (entry?.status) {
    case 'success':
      return `${COUNTS}\nNext: open the receipt with the download link, ${describePlace(installation, email)}`;
    case 'pending':
      return entry.reason === null
        ? `Next: look again in a moment. If it stays pending, check that a worker runs (ROLE).\n${page}`
        : 'Next: nothing. The receipt is sent automatically once the mail server accepts it.';
    case 'held': {
      const held = entry.lines.find(({ outcome }) => outcome === 'held')?.productId;
      return held
        ? `Next: publish the product, which delivers the order:\n${formatCommand(`product publish --org ${orgId} --product ${held}`)}`
        : again;
    }
    case 'ignored':
      if (entry.lines.length > 0) return 'Next: nothing. This SKU is ignored (sku ignore).';
      return `Next: send it as a paid order:\n${formatCommand(`simulate ${platform} --org ${orgId} ${formatOption('sku', sku)} --order ${orderId}`)}`;
    case 'error':
      return entry.lines.some(({ outcome }) => outcome === 'unmatched')
        ? adviseMapping(orgId, sku, product)
        : again;
    default:
      return 'Next: see what the server printed.';
  }
}

const COUNTS =
  'It counts as a sale, like an order of a shop. The dashboard sends one that does not: Settings, Integrations, Send test order.';

function adviseMapping(orgId: string, sku: string, product: string | null): string {
  if (product === null)
    return `Next: add the product that it stands for:\n${formatCommand(`product create --org ${orgId} ${formatOption('name', sku)}`)}`;
  const map = `sku map --org ${orgId} ${formatOption('sku', sku)} --product ${product}`;
  return `Next: map the SKU to a product, this or another one, which delivers the order:\n${formatCommand(map)}`;
}

function describePlace({ settings: { siteUrl, dataDir }, server }: Installation, email: string): string {
  switch (server.receipts) {
    case 'smtp':
      return `in ${email}’s mailbox`;
    case 'dev-mail':
      return `in ${siteUrl}/dev/mail`;
    case 'files':
      return `in ${join(dataDir, 'mail')}`;
    case 'unknown':
      return `where the server sends mails to ${email}`;
  }
}

import type { DeliveryListRow } from '@handover/domain';
import type { Settings } from '../settings.ts';
import type { SentRequest } from './send-signed.ts';

interface SampleOrder {
  readonly platform: string;
  readonly orgId: string;
  readonly orderId: string;
  readonly sku: string;
  readonly email: string;
}

/** What a person is told about an order that was sent, once or twice: what happened, and what to do next. */
export function describeSent(
  settings: Settings,
  order: SampleOrder,
  sent: SentRequest,
  again: SentRequest | null,
): readonly string[] {
  const { platform, orderId, sku } = order;
  return [
    `Order ${orderId} for ${sku} went to ${settings.siteUrl} as ${platform} would send it.`,
    ...describeAnswer(sent),
    ...(again
      ? ['The very same request was sent once more: an order is delivered once, however often it comes.']
      : []),
    ...(again ? describeAnswer(again) : []),
    adviseNext(settings, order, (again ?? sent).entry),
  ];
}

function describeAnswer({ status, answer, entry }: SentRequest): readonly string[] {
  return [
    `The server answered ${status}: ${JSON.stringify(answer)}`,
    `The log says: ${describeEntry(entry)}`,
  ];
}

function describeEntry(entry: DeliveryListRow | null): string {
  if (!entry) return 'nothing; no entry was made.';
  const { status, reason, note } = entry;
  return [`${status}.`, reason, note].filter((sentence) => sentence !== null).join(' ');
}

function adviseNext(
  { siteUrl, dataDir, isLocalTrial, mail }: Settings,
  { platform, orgId, orderId, sku, email }: SampleOrder,
  entry: DeliveryListRow | null,
): string {
  const handover = 'npm run --silent handover --';
  const kept = isLocalTrial ? `${siteUrl}/dev/mail` : `${dataDir}/mail`;
  switch (entry?.status) {
    case 'success':
      return `Next: the receipt with the download link is in ${mail.smtpUrl === null ? kept : `${email}’s mailbox`}`;
    case 'pending':
      return entry.reason === null
        ? 'Next: look again in a moment (GET /api/deliveries). If it stays pending, see that a worker runs (ROLE).'
        : 'Next: nothing. The receipt goes out by itself once the mail server takes it.';
    case 'held':
      return `Next: once that is mended, deliver it: POST /api/deliveries/${entry.id}/redeliver`;
    case 'ignored':
      if (entry.lines.length > 0) return 'Next: nothing. An operator has said that this SKU is not ours.';
      return `Next: let it come as a paid order:\n  ${handover} simulate ${platform} --org ${orgId} --sku ${sku} --order ${orderId}`;
    case 'error':
      return entry.lines.some(({ outcome }) => outcome === 'unmatched')
        ? `Next: say what it stands for, then deliver it (POST /api/deliveries/${entry.id}/redeliver):\n` +
            `  ${handover} sku map --org ${orgId} --sku ${sku} --product PRODUCT`
        : `Next: once that is mended, deliver it: POST /api/deliveries/${entry.id}/redeliver`;
    default:
      return 'Next: see what the server printed.';
  }
}

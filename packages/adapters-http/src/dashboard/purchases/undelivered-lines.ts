import type { DeliveryLog, LogLine, PurchaseRecord } from '@handover/domain';
import type { Html } from '@handover/html';
import { linkButton } from '../parts/button.ts';
import { tagIcon } from '../parts/icons.ts';
import { counted } from '../parts/money.ts';
import { noticePanel } from '../parts/notice.ts';

/** Lines of the order of a purchase that are held or unmatched, and the entry of the log that has them. */
export interface UndeliveredLines {
  readonly deliveryId: string;
  readonly lines: readonly Pick<LogLine, 'sku' | 'outcome'>[];
}

/** By the last entry that the record names: a line that another entry completes is completed in all of them. */
export async function findUndelivered(
  deliveries: Pick<DeliveryLog, 'open'>,
  orgId: string,
  record: Pick<PurchaseRecord, 'deliveries'>,
): Promise<UndeliveredLines | null> {
  const newest = record.deliveries.at(-1);
  const entry = newest ? await deliveries.open(orgId, newest.id) : null;
  const lines = entry?.lines.filter(({ outcome }) => outcome === 'held' || outcome === 'unmatched') ?? [];
  return entry && lines.length > 0 ? { deliveryId: entry.id, lines } : null;
}

/** A purchase is one product: that it was delivered does not say that its whole order was. */
export function undeliveredNotice({ deliveryId, lines }: UndeliveredLines): Html {
  const named = lines.slice(0, MAX_NAMED).map(nameLine).join(', ');
  const others = lines.length > MAX_NAMED ? ` and ${lines.length - MAX_NAMED} more` : '';
  return noticePanel({
    tone: 'held',
    icon: tagIcon,
    title: `${counted(lines.length, 'line')} of this order ${lines.length === 1 ? 'is' : 'are'} not delivered`,
    sentence: `${named}${others}. The buyer has only what is delivered so far.`,
    actions: [linkButton(`/dashboard/webhook-log/${deliveryId}`, { words: 'Open the entry', small: true })],
  });
}

const MAX_NAMED = 3;

function nameLine({ sku, outcome }: UndeliveredLines['lines'][number]): string {
  return outcome === 'held' ? `${sku} (held)` : `${sku || 'A line without a name'} (unmatched)`;
}

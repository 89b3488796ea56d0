import type { OpenedLogEntry, Platforms } from '@handover/domain';
import type { Html } from '@handover/html';
import { refundIcon } from '../parts/icons.ts';
import { noticePanel } from '../parts/notice.ts';

/** The shop gave money back for the order of this entry. The entry that tells of it says so itself. */
export function isRefunded({ refundedAt, status }: OpenedLogEntry): boolean {
  return refundedAt !== null && status !== 'ignored';
}

/** What waits for a product, or failed, is delivered in spite of a refund, which may be of a part: so a person knows before. */
export function refundNotice({
  entry,
  platforms,
}: {
  readonly entry: OpenedLogEntry;
  readonly platforms: Platforms;
}): Html | null {
  const isDone = entry.status === 'success' && !entry.hasUnmatched;
  if (!isRefunded(entry) || isDone) return null;
  return noticePanel({
    tone: 'held',
    icon: refundIcon,
    title: `${platforms.vendorOf(entry.platform)} gave money back for this order`,
    sentence: 'In full or in part. What is still to be delivered is delivered nevertheless.',
  });
}

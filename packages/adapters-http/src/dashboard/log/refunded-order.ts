import type { OpenedLogEntry, Platforms } from '@handover/domain';
import type { Html } from '@handover/html';
import { refundNotice } from '../parts/refund-notice.ts';

/** The shop gave money back for the order of this entry. The entry that tells of it says so itself. */
export function isRefunded({ refundedAt, status }: OpenedLogEntry): boolean {
  return refundedAt !== null && status !== 'ignored';
}

/** Warns before a delivery: lines that wait for a product, or failed, are delivered in spite of the refund. */
export function refundBeforeDelivery({
  entry,
  platforms,
}: {
  readonly entry: OpenedLogEntry;
  readonly platforms: Platforms;
}): Html | null {
  const isDone = entry.status === 'success' && !entry.hasUnmatched;
  if (!isRefunded(entry) || isDone) return null;
  const sentence = 'What is still to be delivered is delivered nevertheless.';
  return refundNotice(platforms.vendorOf(entry.platform), sentence);
}

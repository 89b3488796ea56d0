import type { Html } from '@handover/html';
import { refundIcon } from './icons.ts';
import { noticePanel } from './notice.ts';

/** A refund changes nothing by itself: it may be of another product of the order, or of a part. `sentence`: what goes on. */
export function refundNotice(vendor: string, sentence: string, actions: readonly Html[] = []): Html {
  return noticePanel({
    tone: 'held',
    icon: refundIcon,
    title: `${vendor} gave money back for this order`,
    sentence: `In full or in part. ${sentence}`,
    actions,
  });
}

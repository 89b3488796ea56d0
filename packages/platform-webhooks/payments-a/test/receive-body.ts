import type { SampleMembers, TranslatedOrder } from '@handover/platform-contract';
import { createReceiver } from '@handover/platform-contract/testing';
import { paymentsA } from '../src/index.ts';
import { sampleEvent, signForTest } from '../src/testing.ts';

export const SECRET = 'whsec_test';

export const { receiveBody, receiveSigned, entriesOf, entryOf, orderIn } = createReceiver(
  paymentsA,
  SECRET,
  (body) => {
    const receivedAt = new Date('2026-10-09T10:00:00Z');
    return { headers: signForTest(SECRET, body, receivedAt), receivedAt };
  },
);

export function orderOf(session: SampleMembers, event?: SampleMembers): TranslatedOrder {
  return orderIn(sampleEvent(session, event));
}

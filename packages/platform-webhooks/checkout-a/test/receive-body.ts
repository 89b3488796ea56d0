import type { SampleMembers, TranslatedEntry, TranslatedOrder } from '@handover/platform-contract';
import { createReceiver } from '@handover/platform-contract/testing';
import { checkoutA } from '../src/index.ts';
import { sampleBatch, sampleEvent, sampleOrder, signForTest } from '../src/testing.ts';

export const SECRET = 'test-secret';

const receiver = createReceiver(checkoutA, SECRET, (body) => ({ headers: signForTest(SECRET, body) }));

export const { receiveBody, receiveSigned } = receiver;

export function entriesOf(events: readonly unknown[]): readonly TranslatedEntry[] {
  return receiver.entriesOf(sampleBatch(events));
}

export function orderOf(
  changes: SampleMembers,
  items?: readonly SampleMembers[],
  event?: SampleMembers,
): TranslatedOrder {
  return receiver.orderIn(sampleBatch([sampleEvent({ data: sampleOrder(changes, items), ...event })]));
}

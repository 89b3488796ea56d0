import type { SampleMembers, TranslatedOrder } from '@handover/platform-contract';
import { createReceiver } from '@handover/platform-contract/testing';
import { storefrontA } from '../src/index.ts';
import { sampleOrder, signForTest } from '../src/testing.ts';

export const SECRET = 'test-secret';

export const { receiveBody, receiveSigned, entryOf, orderIn } = createReceiver(
  storefrontA,
  SECRET,
  (body, topic: string | null = 'orders/paid') => ({
    headers: { ...signForTest(SECRET, body), ...(topic === null ? {} : { 'x-storefront-a-topic': topic }) },
  }),
);

export function orderOf(changes: SampleMembers, lines?: readonly SampleMembers[]): TranslatedOrder {
  return orderIn(sampleOrder(changes, lines));
}

import type { SampleMembers, TranslatedOrder } from '@handover/platform-contract';
import { createReceiver } from '@handover/platform-contract/testing';
import { storefrontB } from '../src/index.ts';
import { sampleOrder, signForTest } from '../src/testing.ts';

export const SECRET = 'test-secret';

export const { receiveBody, receiveSigned, entryOf, orderIn } = createReceiver(
  storefrontB,
  SECRET,
  (body, topic: string | null = 'order.updated') => ({
    headers: {
      ...signForTest(SECRET, body),
      ...(topic === null ? {} : { 'x-storefront-b-webhook-topic': topic }),
    },
  }),
);

export function orderOf(changes: SampleMembers, lines?: readonly SampleMembers[]): TranslatedOrder {
  return orderIn(sampleOrder(changes, lines));
}

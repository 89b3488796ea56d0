import { receive, type TranslatedEntry, type TranslatedOrder } from '@handover/platform-contract';
import { storefrontB } from '../src/index.ts';
import { type SampleMembers, sampleOrder, signForTest } from '../src/testing.ts';

export const SECRET = 'test-secret';

export function receiveBody(body: Uint8Array, topic: string | null = 'order.updated') {
  const headers = {
    ...signForTest(SECRET, body),
    ...(topic === null ? {} : { 'x-storefront-b-webhook-topic': topic }),
  };
  const inbound = { orgId: 'org-1', platform: 'storefront-b', body, headers, query: {} } as const;
  return receive(storefrontB, { ...inbound, receivedAt: new Date(0) }, [{ id: 'main', secrets: [SECRET] }]);
}

export function entryOf(body: Uint8Array, topic?: string | null): TranslatedEntry {
  const reception = receiveBody(body, topic);
  if (reception.kind !== 'translated') throw new Error(JSON.stringify(reception));
  const [entry] = reception.entries;
  if (!entry) throw new Error('no entry');
  return entry;
}

export function orderIn(body: Uint8Array): TranslatedOrder {
  const entry = entryOf(body);
  if (entry.kind !== 'order') throw new Error(entry.reason);
  return entry.order;
}

export function orderOf(changes: SampleMembers, lines?: readonly SampleMembers[]): TranslatedOrder {
  return orderIn(sampleOrder(changes, lines));
}

export const json = (text: string) => new TextEncoder().encode(text);

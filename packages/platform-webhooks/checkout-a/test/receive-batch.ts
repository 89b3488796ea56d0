import { receive, type TranslatedEntry, type TranslatedOrder } from '@handover/platform-contract';
import { checkoutA } from '../src/index.ts';
import { type SampleMembers, sampleBatch, sampleEvent, sampleOrder, signForTest } from '../src/testing.ts';

export const SECRET = 'test-secret';

export function receiveBody(body: Uint8Array) {
  const headers = signForTest(SECRET, body);
  const inbound = { orgId: 'org-1', platform: 'checkout-a', body, headers, query: {} } as const;
  return receive(checkoutA, { ...inbound, receivedAt: new Date(0) }, [{ id: 'main', secrets: [SECRET] }]);
}

export function entriesOf(events: readonly unknown[]): readonly TranslatedEntry[] {
  const reception = receiveBody(sampleBatch(events));
  if (reception.kind !== 'translated') throw new Error(JSON.stringify(reception));
  return reception.entries;
}

export function orderOf(
  changes: SampleMembers,
  items?: readonly SampleMembers[],
  event?: SampleMembers,
): TranslatedOrder {
  const [entry] = entriesOf([sampleEvent({ data: sampleOrder(changes, items), ...event })]);
  if (entry?.kind !== 'order') throw new Error(entry?.reason ?? 'no entry');
  return entry.order;
}

export const json = (text: string) => new TextEncoder().encode(text);

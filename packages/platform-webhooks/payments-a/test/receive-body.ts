import { receive, type TranslatedEntry, type TranslatedOrder } from '@handover/platform-contract';
import { paymentsA } from '../src/index.ts';
import { type SampleMembers, sampleEvent, signForTest } from '../src/testing.ts';

export const SECRET = 'whsec_test';

export function receiveBody(body: Uint8Array) {
  const receivedAt = new Date('2026-10-09T10:00:00Z');
  const headers = signForTest(SECRET, body, receivedAt);
  const inbound = { orgId: '', platform: 'payments-a', body, headers, query: {}, receivedAt } as const;
  return receive(paymentsA, inbound, [{ id: 'main', secrets: [SECRET] }]);
}

export function entryOf(body: Uint8Array): TranslatedEntry {
  const reception = receiveBody(body);
  if (reception.kind !== 'translated') throw new Error(JSON.stringify(reception));
  const [entry] = reception.entries;
  if (!entry) throw new Error('no entry');
  return entry;
}

export function orderOf(session: SampleMembers, event?: SampleMembers): TranslatedOrder {
  const entry = entryOf(sampleEvent(session, event));
  if (entry.kind !== 'order') throw new Error(entry.reason);
  return entry.order;
}

export const json = (text: string) => new TextEncoder().encode(text);

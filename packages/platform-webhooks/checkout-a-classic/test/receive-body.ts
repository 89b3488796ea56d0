import { receive, type TranslatedEntry, type TranslatedOrder } from '@handover/platform-contract';
import { checkoutAClassic } from '../src/index.ts';
import { signForTest } from '../src/testing.ts';

export const KEY = 'classic-test-private-key';

export function receiveBody(
  body: Uint8Array,
  headers: Readonly<Record<string, string | readonly string[]>> = signForTest(KEY),
) {
  const inbound = { orgId: 'org-1', platform: 'checkout-a-classic', body, headers, query: {} } as const;
  return receive(checkoutAClassic, { ...inbound, receivedAt: new Date(0) }, [{ id: 'main', secrets: [KEY] }]);
}

export function entryOf(body: Uint8Array): TranslatedEntry {
  const reception = receiveBody(body);
  if (reception.kind !== 'translated') throw new Error(JSON.stringify(reception));
  const [entry] = reception.entries;
  if (!entry) throw new Error('no entry');
  return entry;
}

export function orderOf(body: Uint8Array): TranslatedOrder {
  const entry = entryOf(body);
  if (entry.kind !== 'order') throw new Error(entry.reason);
  return entry.order;
}

export const encode = (text: string) => new TextEncoder().encode(text);

import { receive, type TranslatedEntry, type TranslatedOrder } from '@handover/platform-contract';
import { cartA } from '../src/index.ts';

export const SECRET = 'test-secret';

export function receiveBody(
  body: Uint8Array,
  query: Readonly<Record<string, string | readonly string[]>> = { secret: SECRET },
) {
  const inbound = { orgId: 'org-1', platform: 'cart-a', body, headers: {}, query } as const;
  return receive(cartA, { ...inbound, receivedAt: new Date(0) }, [{ id: 'main', secrets: [SECRET] }]);
}

export function entriesOf(body: Uint8Array): readonly TranslatedEntry[] {
  const reception = receiveBody(body);
  if (reception.kind !== 'translated') throw new Error(JSON.stringify(reception));
  return reception.entries;
}

export function orderOf(body: Uint8Array): TranslatedOrder {
  const [entry] = entriesOf(body);
  if (entry?.kind !== 'order') throw new Error(entry?.reason ?? 'no entry');
  return entry.order;
}

export const encode = (text: string) => new TextEncoder().encode(text);

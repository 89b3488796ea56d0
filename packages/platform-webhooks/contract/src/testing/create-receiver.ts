import type { TranslatedEntry, TranslatedOrder } from '@handover/domain';
import type { InboundDelivery, PlatformWebhook } from '../platform-webhook.ts';
import { type Reception, receive } from '../receive.ts';
import type { SignedRequest } from '../sample-request.ts';

/** Receives bodies as the service does, from a genuine sender. For a platform's own tests. */
export interface Receiver<How extends readonly unknown[]> {
  receiveBody(body: Uint8Array, ...how: How): Reception;
  /** Receives a request that is already signed, such as a sample. */
  receiveSigned(request: SignedRequest, receivedAt?: Date): Reception;
  /** @throws when the body cannot be read or its sender is refused. */
  entriesOf(body: Uint8Array, ...how: How): readonly TranslatedEntry[];
  /** The first entry. @throws when there is none. */
  entryOf(body: Uint8Array, ...how: How): TranslatedEntry;
  /**
   * The order of the first entry.
   * @throws the entry's own message when it is not an order.
   */
  orderIn(body: Uint8Array, ...how: How): TranslatedOrder;
}

/**
 * `address` returns what a genuine sender adds to a body. Its further parameters let a test vary the
 * sender, and every function of the receiver takes the same ones.
 */
export function createReceiver<How extends readonly unknown[]>(
  platform: PlatformWebhook,
  secret: string,
  address: (
    body: Uint8Array,
    ...how: How
  ) => Partial<Pick<InboundDelivery, 'headers' | 'query' | 'receivedAt'>>,
): Receiver<How> {
  return { receiveBody, receiveSigned, entriesOf, entryOf, orderIn };

  function receiveBody(body: Uint8Array, ...how: How): Reception {
    const unsigned = { headers: {}, query: {}, receivedAt: new Date(0) };
    return take({ ...unsigned, body, ...address(body, ...how) });
  }

  function receiveSigned(request: SignedRequest, receivedAt = new Date(0)): Reception {
    return take({ ...request, receivedAt });
  }

  function take(inbound: Omit<InboundDelivery, 'platform'>): Reception {
    return receive(platform, { platform: platform.label, ...inbound }, [{ id: 'main', secrets: [secret] }]);
  }

  function entriesOf(body: Uint8Array, ...how: How): readonly TranslatedEntry[] {
    const reception = receiveBody(body, ...how);
    if (reception.kind !== 'translated') throw new Error(JSON.stringify(reception));
    return reception.entries;
  }

  function entryOf(body: Uint8Array, ...how: How): TranslatedEntry {
    const [entry] = entriesOf(body, ...how);
    if (!entry) throw new Error('The body holds no entry.');
    return entry;
  }

  function orderIn(body: Uint8Array, ...how: How): TranslatedOrder {
    const entry = entryOf(body, ...how);
    if (entry.kind !== 'order') throw new Error(entry.reason);
    return entry.order;
  }
}

export function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

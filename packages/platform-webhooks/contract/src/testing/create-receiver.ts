import type { TranslatedEntry, TranslatedOrder } from '@handover/domain';
import type { InboundDelivery, PlatformWebhook } from '../platform-webhook.ts';
import { type Reception, receive } from '../receive.ts';
import type { SignedRequest } from '../signed-request.ts';

/** Takes bodies in as the service would, from a sender that is who it says it is. For a platform's own tests. */
export interface Receiver<How extends readonly unknown[]> {
  receiveBody(body: Uint8Array, ...how: How): Reception;
  /** A request that its sender has signed already, such as a sample. */
  receiveSigned(request: SignedRequest, receivedAt?: Date): Reception;
  /** @throws when the body cannot be read, or its sender is refused. */
  entriesOf(body: Uint8Array, ...how: How): readonly TranslatedEntry[];
  /** The first entry. @throws when there is none. */
  entryOf(body: Uint8Array, ...how: How): TranslatedEntry;
  /** The order of the first entry. @throws what the entry says instead, when it is none. */
  orderIn(body: Uint8Array, ...how: How): TranslatedOrder;
}

/**
 * `address` says what a genuine sender adds to a body. What it takes besides the body is how a test varies the sender,
 * and every function of the receiver takes the same.
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

/** The bytes of a text. */
export function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

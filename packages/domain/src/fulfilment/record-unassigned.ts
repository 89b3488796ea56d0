import type { Addressee } from '../orders/addressee.ts';
import type { TranslatedEntry } from '../orders/order.ts';
import type { UnassignedDeliveries } from '../ports.ts';
import type { Delivery, DeliveryBody } from './delivery.ts';
import type { DestinationPorts } from './find-destination.ts';
import { findDestination } from './find-destination.ts';
import { nameOrder } from './order-names.ts';
import type { UnassignedDelivery } from './unassigned-delivery.ts';

/** A verified request of the shared platform that no organisation was found for. */
export interface ReceivedUnassigned {
  readonly addressee: Addressee;
  /** Why none was found. */
  readonly reason: string;
  readonly receivedAt: Date;
  readonly body: Omit<DeliveryBody, 'id'>;
  readonly entries: readonly TranslatedEntry[];
}

/** What the sender may be told of an entry. `held`: it waits for the operator. */
export type WaitingDelivery = Pick<Delivery, 'id' | 'orderId' | 'status' | 'reason'>;

/**
 * Keeps the orders of a request that belongs to nobody yet; what announces no order is not kept, for nobody could ever
 * run it. Once this resolves, the orders are safe: only now may the platform be told 2xx.
 */
export async function recordUnassigned(
  ports: DestinationPorts & { readonly unassigned: UnassignedDeliveries },
  received: ReceivedUnassigned,
): Promise<readonly WaitingDelivery[]> {
  const { addressee, reason, receivedAt, body, entries } = received;
  const kept = entries.flatMap((entry): readonly UnassignedDelivery[] =>
    entry.kind === 'order'
      ? [
          {
            id: ports.ids.next(),
            account: addressee.kind === 'account' ? cut(addressee.account) : null,
            orgHint: addressee.kind === 'organisation' ? cut(addressee.orgId) : null,
            ...nameOrder(entry.order),
            orderId: entry.order.orderId,
            reason,
            receivedAt,
          },
        ]
      : [],
  );
  if (kept.length === 0) return [];
  await ports.unassigned.record(kept, body);
  const isAssigned = await assignIfKnownByNow(ports, addressee, kept);
  return kept.map(({ id, orderId }) =>
    isAssigned
      ? { id, orderId, status: 'pending', reason: null }
      : { id, orderId, status: 'held', reason: `${reason} It waits for the service’s operator.` },
  );
}

/**
 * An account that was mapped between our look at the map and the record has had its waiting deliveries moved already,
 * without these. So we look again: one of the two sees the other.
 */
async function assignIfKnownByNow(
  ports: DestinationPorts & { readonly unassigned: UnassignedDeliveries },
  addressee: Addressee,
  kept: readonly UnassignedDelivery[],
): Promise<boolean> {
  const found = await findDestination(ports, addressee);
  if (found.kind === 'unassigned') return false;
  const { orgId, connectionId } = found;
  for (const { id } of kept) {
    await ports.unassigned.assign(id, { orgId, connectionId }, ports.clock.now());
  }
  return true;
}

/** Longer than any genuine one, and short enough for an index. */
function cut(text: string): string {
  return text.slice(0, 200);
}

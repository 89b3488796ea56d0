import type { Delivery, DeliveryBody } from '../model/delivery.ts';
import type { TranslatedEntry } from '../model/order.ts';
import type { TenantRef, UnassignedDelivery } from '../model/unassigned-delivery.ts';
import type { Ids } from '../ports/clock.ts';
import type { UnassignedDeliveries } from '../ports/fulfilment.ts';
import { type DestinationPorts, findDestination } from './find-destination.ts';
import { NO_ORDER, nameOrder } from './record-deliveries.ts';

/** A verified request of the shared platform without an organisation. */
export interface ReceivedUnassigned {
  readonly tenantRef: TenantRef;
  /** Why no organisation was found. */
  readonly reason: string;
  readonly receivedAt: Date;
  readonly body: Omit<DeliveryBody, 'id'>;
  readonly entries: readonly TranslatedEntry[];
}

/** An entry for the response to the sender. `held`: it waits for the operator. */
export type WaitingDelivery = Pick<Delivery, 'id' | 'orderId' | 'orderNumber' | 'status' | 'reason'>;

/**
 * Stores the orders of a request that has no organisation yet, including unreadable ones. Events that are not orders are not
 * stored, because nothing could be delivered for them. Once this resolves, the orders are durable: only then may the response be
 * 2xx.
 */
export async function recordUnassigned(
  ports: DestinationPorts & { readonly unassigned: UnassignedDeliveries },
  received: ReceivedUnassigned,
): Promise<readonly WaitingDelivery[]> {
  const { tenantRef, reason, body } = received;
  const wanted = received.entries.flatMap((entry) => describeWaiting(entry, received, ports.ids) ?? []);
  if (wanted.length === 0) return [];
  const storedIds = await ports.unassigned.record(wanted, body);
  const kept = wanted.map((delivery, at) => ({ ...delivery, id: storedIds[at] ?? delivery.id }));
  const isAssigned = await assignIfMappedSince(ports, tenantRef, kept);
  return kept.map(({ id, orderId, orderNumber, problem }) => {
    if (problem !== null) return { id, orderId, orderNumber, status: 'error', reason: problem };
    return isAssigned
      ? { id, orderId, orderNumber, status: 'pending', reason: null }
      : {
          id,
          orderId,
          orderNumber,
          status: 'held',
          reason: `${reason} It waits for the service’s operator.`,
        };
  });
}

function describeWaiting(
  entry: TranslatedEntry,
  { tenantRef, reason, receivedAt }: ReceivedUnassigned,
  ids: Ids,
): UnassignedDelivery | null {
  const { orderId } = entry.kind === 'order' ? entry.order : entry;
  if (entry.kind === 'ignored' || orderId === null) return null;
  return {
    id: ids.next(),
    account: tenantRef.kind === 'account' ? cut(tenantRef.account) : null,
    orgHint: tenantRef.kind === 'organisation' ? cut(tenantRef.orgId) : null,
    ...(entry.kind === 'order' ? nameOrder(entry.order) : NO_ORDER),
    orderId,
    problem: entry.kind === 'error' ? entry.reason : null,
    reason,
    receivedAt,
  };
}

/**
 * If the account was mapped after we looked it up and before the deliveries were stored, `runUnassigned` did not see them. So
 * we look it up again: one of the two sees the other.
 */
async function assignIfMappedSince(
  ports: DestinationPorts & { readonly unassigned: UnassignedDeliveries },
  tenantRef: TenantRef,
  kept: readonly UnassignedDelivery[],
): Promise<boolean> {
  const found = await findDestination(ports, tenantRef);
  if (found.kind === 'unassigned') return false;
  const { orgId, connectionId } = found;
  for (const { id } of kept) {
    await ports.unassigned.assign(id, { orgId, connectionId }, ports.clock.now());
  }
  return true;
}

/** Longer than any genuine account or id, and short enough for an index. */
function cut(text: string): string {
  return text.slice(0, 200);
}

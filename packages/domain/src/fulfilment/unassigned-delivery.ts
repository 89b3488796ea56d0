import type { Destination } from '../access/connection.ts';
import { SHARED_PLATFORM } from '../orders/platform.ts';
import type { Delivery } from './delivery.ts';
import type { Job } from './job.ts';

/**
 * A verified order of the shared platform that no organisation was found for. It waits for the service's operator, and
 * keeps its id when it moves into an organisation's webhook log.
 */
export interface UnassignedDelivery {
  readonly id: string;
  readonly account: string | null;
  /** The organisation that the event names, where it names no account. Never beside one: it would not be believed. */
  readonly orgHint: string | null;
  readonly orderId: string;
  /** Null for one that was kept before numbers were. */
  readonly orderNumber: string | null;
  /** The buyer's address, folded. */
  readonly emailFolded: string | null;
  /** Why it belongs to nobody yet, in a sentence. */
  readonly reason: string;
  readonly receivedAt: Date;
}

/** One whose organisation is known by now. */
export interface AssignableDelivery {
  readonly id: string;
  readonly orgId: string;
  readonly account: string | null;
}

/** What a delivery becomes once its organisation is known: an entry of that one's webhook log, as if it had just come. */
export function describeAssigned(
  { id, orderId, orderNumber, emailFolded, receivedAt }: UnassignedDelivery,
  { orgId, connectionId }: Destination,
  startAfter: Date,
): { readonly delivery: Delivery; readonly job: Job } {
  return {
    delivery: {
      id,
      orgId,
      platform: SHARED_PLATFORM,
      connectionId,
      bodyId: id,
      orderId,
      orderNumber,
      emailFolded,
      receivedAt,
      status: 'pending',
      reason: null,
      note: null,
    },
    job: { kind: 'fulfil-delivery', orgId, deliveryId: id, attempts: 0, startAfter },
  };
}

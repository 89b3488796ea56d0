import type { Destination } from './connection.ts';
import type { Delivery } from './delivery.ts';
import type { Job } from './job.ts';
import { SHARED_PLATFORM } from './platform.ts';

/** Whom an event of the shared platform is for, by its own words. */
export type TenantRef =
  /** The account it happened in: only what the service's operator mapped it to counts. */
  | { readonly kind: 'account'; readonly account: string }
  /** The organisation that the seller's own server named. It need not exist. */
  | { readonly kind: 'organisation'; readonly orgId: string }
  | {
      readonly kind: 'nobody';
      /** A sentence for the operator. */
      readonly reason: string;
    };

/**
 * A verified order of the shared platform that no organisation was found for. It waits for the service's operator, and
 * keeps its id when it moves into an organisation's webhook log. However many events announce it, it is one: same
 * account, same organisation named, same order; an event that nothing can be made of counts apart from the order itself.
 */
export interface UnassignedDelivery {
  readonly id: string;
  readonly account: string | null;
  /** The organisation that the event names, where it names no account. Never beside one: it would not be believed. */
  readonly orgHint: string | null;
  readonly orderId: string;
  /** Why nothing can be made of it as it came, and what to do; null for an order. */
  readonly problem: string | null;
  /** Null for one that was kept before numbers were. */
  readonly orderNumber: string | null;
  /** The buyer's address, normalized. */
  readonly normalizedEmail: string | null;
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
  { id, orderId, orderNumber, normalizedEmail, problem, receivedAt }: UnassignedDelivery,
  { orgId, connectionId }: Destination,
  startAfter: Date,
): { readonly delivery: Delivery; readonly jobs: readonly Job[] } {
  return {
    delivery: {
      id,
      orgId,
      platform: SHARED_PLATFORM,
      connectionId,
      bodyId: id,
      orderId,
      orderNumber,
      normalizedEmail,
      receivedAt,
      status: problem === null ? 'pending' : 'error',
      reason: problem,
      note: null,
    },
    jobs:
      problem === null ? [{ kind: 'fulfil-delivery', orgId, deliveryId: id, attempts: 0, startAfter }] : [],
  };
}

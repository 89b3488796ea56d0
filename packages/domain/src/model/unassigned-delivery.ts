import type { Destination } from './connection.ts';
import type { Delivery } from './delivery.ts';
import type { Job } from './job.ts';
import { SHARED_PLATFORM } from './platform.ts';

/** What an event of the shared platform says about its organisation. */
export type TenantRef =
  /** The account of the event. Only the operator's mapping decides which organisation it belongs to. */
  | { readonly kind: 'account'; readonly account: string }
  /** The organisation that the seller's server named. It may not exist. */
  | { readonly kind: 'organisation'; readonly orgId: string }
  | {
      readonly kind: 'nobody';
      /** A sentence for the operator. */
      readonly reason: string;
    };

/**
 * A verified order of the shared platform without an organisation. It waits for the service's operator, and keeps its id when it
 * moves into the webhook log of an organisation. Events with the same account, the same named organisation and the same order are
 * one delivery; those with a `problem` are separate from those without.
 */
export interface UnassignedDelivery {
  readonly id: string;
  readonly account: string | null;
  /** The organisation that the event names, if it names no account: next to an account, it is not trusted. */
  readonly orgHint: string | null;
  readonly orderId: string;
  /** Why it could not be read as an order, and what to do; null for an order. */
  readonly problem: string | null;
  /** Null also if it was stored before numbers were. */
  readonly orderNumber: string | null;
  /** The buyer's address, normalized. */
  readonly normalizedEmail: string | null;
  /** Why it has no organisation yet: a sentence. */
  readonly reason: string;
  readonly receivedAt: Date;
}

/** An unassigned delivery whose organisation is known now. */
export interface AssignableDelivery {
  readonly id: string;
  readonly orgId: string;
  readonly account: string | null;
}

/** The entry of the webhook log that a delivery becomes once its organisation is known, and its job. */
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

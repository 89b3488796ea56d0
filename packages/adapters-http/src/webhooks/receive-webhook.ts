import type { Delivery, DeliveryStatus, TranslatedEntry } from '@handover/domain';
import { recordDeliveries } from '@handover/domain';
import {
  type InboundDelivery,
  isPing,
  keepHeaders,
  type PlatformWebhook,
  receive,
} from '@handover/platform-contract';
import { whileDatabaseAnswers } from '../database-answers.ts';
import type { HttpPorts } from '../http-ports.ts';
import { type FulfilmentTrouble, fulfilWithin, type RecordedOrder } from './fulfil-within.ts';

/** How long the sender of an inline platform is kept waiting for fulfilment. Shops give up after five seconds. */
const FULFIL_WITHIN_MS = 3000;

export type WebhookOutcome =
  | { readonly kind: 'unknown-organisation' }
  /** The platform only tries the address: it wants 200, and nothing is recorded. */
  | { readonly kind: 'ping' }
  | { readonly kind: 'refused'; readonly reason: string }
  /** Nothing was committed, or it is not known whether it was: the sender must send it again. */
  | { readonly kind: 'not-recorded'; readonly error: unknown }
  | {
      readonly kind: 'unreadable';
      readonly deliveryId: string | undefined;
      readonly problem: string;
      readonly cause?: unknown;
    }
  | {
      readonly kind: 'recorded';
      readonly deliveries: readonly RecordedDelivery[];
      /** Why fulfilment was left to the job, when it was. */
      readonly trouble: FulfilmentTrouble | null;
    };

export interface RecordedDelivery {
  readonly deliveryId: string;
  readonly orderId: string | null;
  readonly status: DeliveryStatus;
  /** For the log; the sender has no use for it. */
  readonly reason: string | null;
}

/**
 * Takes one webhook request in: verify, record, and for platforms that wait for it, fulfil. Once it is recorded
 * nothing that follows can cost the delivery, because its job was committed with it.
 */
export async function receiveWebhook(
  ports: HttpPorts,
  platform: PlatformWebhook,
  inbound: InboundDelivery,
): Promise<WebhookOutcome> {
  const taken = await whileDatabaseAnswers(ports.database, takeIn(ports, platform, inbound)).catch(
    (error: unknown) => ({ kind: 'not-recorded', error }) as const,
  );
  if (taken.kind !== 'taken') return taken;

  const { deliveries, orders } = taken;
  if (platform.answers === 'after-recording')
    return { kind: 'recorded', deliveries: deliveries.map(summarise), trouble: null };
  const { decided, trouble } = await fulfilWithin(FULFIL_WITHIN_MS, ports, orders);
  const settled = deliveries.map((delivery) => ({ ...delivery, ...decided.get(delivery.id) }));
  return { kind: 'recorded', deliveries: settled.map(summarise), trouble };
}

/** Everything up to the commit. */
async function takeIn(ports: HttpPorts, platform: PlatformWebhook, inbound: InboundDelivery) {
  const { orgId, receivedAt } = inbound;
  const connections = await ports.connections.list(orgId, platform.label, receivedAt);
  if (connections === null) return { kind: 'unknown-organisation' } as const;
  // A platform tries the address before its secret is set here.
  if (isPing(platform, inbound)) return { kind: 'ping' } as const;
  if (connections.length === 0) {
    return { kind: 'refused', reason: 'This platform is not set up. Set its secret first.' } as const;
  }
  const reception = receive(platform, inbound, connections);
  if (reception.kind === 'refused') return reception;

  const { connectionId } = reception;
  const received = {
    orgId,
    platform: platform.label,
    connectionId,
    receivedAt,
    bytes: inbound.body,
    headers: keepHeaders(platform, inbound.headers),
    content: reception,
  };
  const fulfilment = platform.answers === 'after-fulfilment' ? 'in-request' : 'in-background';
  const deliveries = await recordDeliveries(ports, received, fulfilment);
  if (reception.kind === 'unreadable') return { ...reception, deliveryId: deliveries[0]?.id };
  const source = { orgId, platform: platform.label, connectionId };
  return { kind: 'taken', deliveries, orders: listOrders(reception.entries, deliveries, source) } as const;
}

/** `recordDeliveries` makes one delivery of each entry, in their order. */
function listOrders(
  entries: readonly TranslatedEntry[],
  deliveries: readonly Delivery[],
  source: Pick<RecordedOrder['order'], 'orgId' | 'platform' | 'connectionId'>,
): readonly RecordedOrder[] {
  return entries.flatMap((entry, at) => {
    const delivery = deliveries[at];
    return entry.kind === 'order' && delivery
      ? [{ order: { ...entry.order, ...source }, deliveryId: delivery.id }]
      : [];
  });
}

function summarise({ id, orderId, status, reason }: Delivery): RecordedDelivery {
  return { deliveryId: id, orderId, status, reason };
}

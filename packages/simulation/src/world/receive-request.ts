import { findDestination, fulfilOrder, recordDeliveries, recordUnassigned } from '@handover/domain';
import { type InboundDelivery, isPing, keepHeaders, receive } from '@handover/platform-contract';
import type { SignedRequest } from '@handover/platform-contract/testing';
import { readAddressee } from '@handover/platform-payments-a';
import type { ProcessSlot, World } from './open-world.ts';
import { isExpected } from './open-world.ts';
import type { Sale } from './send-order.ts';
import { PLATFORM_WEBHOOKS, type Service } from './service.ts';

/** What the sender of a webhook is told. */
export interface WebhookAnswer {
  readonly status: 200 | 400 | 401 | 404 | 503;
  readonly deliveryIds: readonly string[];
}

/** How long the sender of an inline platform waits for fulfilment, in milliseconds. */
const FULFIL_WITHIN_MS = 3000;

/** One process takes in one request, as its HTTP routes do. */
export async function receiveRequest(
  world: World,
  { process, service }: ProcessSlot,
  sale: Pick<Sale, 'orgId' | 'platform'>,
  request: SignedRequest,
): Promise<WebhookAnswer> {
  const platform = PLATFORM_WEBHOOKS[sale.platform];
  const inbound: InboundDelivery = { platform: sale.platform, ...request, receivedAt: service.clock.now() };
  try {
    const taken = await takeIn(world, service, sale, inbound);
    if (!('orders' in taken)) return taken;
    if (platform.answers === 'after-fulfilment') {
      const { promise, resolve } = Promise.withResolvers<void>();
      world.scheduler.sleep(process, FULFIL_WITHIN_MS).then(resolve);
      fulfilAll(world, service, taken.orders).then(resolve);
      await promise;
    }
    return { status: 200, deliveryIds: taken.deliveryIds };
  } catch (error) {
    if (isExpected(error)) return { status: 503, deliveryIds: [] };
    throw error;
  }
}

async function takeIn(
  world: World,
  service: Service,
  { orgId, platform: label }: Pick<Sale, 'orgId' | 'platform'>,
  inbound: InboundDelivery,
) {
  const platform = PLATFORM_WEBHOOKS[label];
  const isShared = label === 'payments-a';
  const shop = world.shops.find((candidate) => candidate.orgId === orgId);
  const signers = isShared
    ? [{ id: 'service', secrets: [shop?.secrets[label] ?? ''] }]
    : await service.connections.list(orgId, label, inbound.receivedAt);
  if (signers === null) return { status: 404, deliveryIds: [] } as const;
  if (isPing(platform, inbound)) return { status: 200, deliveryIds: [] } as const;
  const reception = receive(platform, inbound, signers);
  if (reception.kind === 'refused') return { status: 401, deliveryIds: [] } as const;
  const addressee = isShared ? readAddressee(inbound.body) : null;
  const destination = addressee
    ? await findDestination(service, addressee)
    : ({ kind: 'found', orgId, connectionId: reception.connectionId } as const);
  const headers = keepHeaders(platform, inbound.headers);
  const { receivedAt, body: bytes } = inbound;
  if (destination.kind === 'unassigned') {
    if (reception.kind === 'unreadable' || !addressee) return { status: 400, deliveryIds: [] } as const;
    const kept = await recordUnassigned(service, {
      addressee,
      reason: destination.reason,
      receivedAt,
      body: { bytes, headers },
      entries: reception.entries,
    });
    return { status: 200, deliveryIds: kept.map(({ id }) => id) } as const;
  }
  const source = { orgId: destination.orgId, platform: label, connectionId: destination.connectionId };
  const received = {
    ...source,
    receivedAt,
    bytes,
    headers,
    content: reception,
    proof: reception.proof ?? null,
  };
  const fulfilment = platform.answers === 'after-fulfilment' ? 'in-request' : 'in-background';
  const recorded = await recordDeliveries(service, received, fulfilment);
  if (recorded.kind === 'refused') return { status: 401, deliveryIds: [] } as const;
  const deliveryIds = recorded.deliveries.map(({ id }) => id);
  if (reception.kind === 'unreadable') return { status: 400, deliveryIds } as const;
  const orders = reception.entries.flatMap((entry, at) => {
    const id = deliveryIds[at];
    return entry.kind === 'order' && id !== undefined ? [{ id, order: { ...entry.order, ...source } }] : [];
  });
  return { deliveryIds, orders } as const;
}

/** What fails or takes too long is left to the job. */
async function fulfilAll(
  world: World,
  service: Service,
  orders: readonly { readonly id: string; readonly order: Parameters<typeof fulfilOrder>[1] }[],
): Promise<void> {
  try {
    for (const { id, order } of orders) await fulfilOrder(service, order, { id, attempts: 0 });
  } catch (error) {
    if (!isExpected(error))
      world.failure ??= new Error(`Fulfilment failed: ${String(error)}`, { cause: error });
  }
}

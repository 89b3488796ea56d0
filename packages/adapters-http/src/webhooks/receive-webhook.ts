import {
  type DecidedDelivery,
  type DeliveryLog,
  type Destination,
  type DestinationPorts,
  type FulfilOrderPorts,
  fulfilOrder,
  isDecidedMeanwhile,
  type Order,
  type OrderSnapshot,
  recordDeliveries,
  recordUnassigned,
  type Timer,
  type TraceContext,
  type TranslatedEntry,
  type UnassignedDeliveries,
} from '@handover/domain';
import {
  type InboundDelivery,
  isPing,
  keepHeaders,
  type PlatformWebhook,
  type Reception,
  readVerified,
  type SigningConnection,
  verifySender,
} from '@handover/platform-contract';
import { whileDatabaseAnswers } from '../database-answers.ts';
import type { DatabaseProbe } from '../http-ports.ts';
import { type DeliveryDestination, isSetUp, NOT_SET_UP, type WebhookAddress } from './webhook-address.ts';
import type { FulfilmentTrouble, WebhookOutcome } from './webhook-outcome.ts';

/** The ports that receiving a webhook needs. */
export interface WebhookPorts extends DestinationPorts, FulfilOrderPorts {
  readonly deliveries: DeliveryLog;
  readonly unassigned: UnassignedDeliveries;
  readonly database: DatabaseProbe;
  readonly timer: Timer;
  readonly currentTrace?: (() => TraceContext | null) | undefined;
  /** Left out: nothing is a test. */
  readonly isTestOrder?: IsTestOrder | undefined;
}

/** Whether this installation sent a verified delivery itself, to try a connection. Nobody else can make it true. */
export type IsTestOrder = (inbound: Pick<InboundDelivery, 'headers' | 'body'>) => boolean;

/**
 * The deadline for answering the sender of an inline platform, measured from the arrival of the whole body.
 * Shops give up after five seconds.
 */
const FULFIL_WITHIN_MS = 3000;

/** A body up to this size is verified and parsed within a millisecond or two. Nearly every order is smaller. */
const MAX_WITHOUT_YIELD = 32 * 1024;

/**
 * Receives one webhook request whose head was accepted, with the connections found for it: verifies it, finds
 * its organisation, records it and, for platforms that wait for the result, fulfils it. Once the delivery
 * is recorded, no later failure can lose it, because its job was committed with it.
 */
export async function receiveWebhook(
  ports: WebhookPorts,
  platform: PlatformWebhook,
  address: WebhookAddress,
  connections: readonly SigningConnection[],
  inbound: InboundDelivery,
): Promise<WebhookOutcome> {
  const deadline =
    platform.answers === 'after-fulfilment' ? startDeadline(ports.timer, FULFIL_WITHIN_MS) : null;
  try {
    const work = takeIn(ports, platform, address, connections, inbound);
    const taken = await whileDatabaseAnswers(ports.database, work, ports.timer).catch(
      (error: unknown) => ({ kind: 'not-recorded', error }) as const,
    );
    if (taken.kind !== 'taken') return taken;
    const { orgId, deliveries, orders } = taken;
    if (deadline === null) return { kind: 'recorded', orgId, deliveries, trouble: null };
    const { decided, trouble } = await fulfilUntil(deadline.passed, ports, orders);
    const answered = deliveries.map((delivery) => ({ ...delivery, ...decided.get(delivery.id) }));
    return { kind: 'recorded', orgId, deliveries: answered, trouble };
  } finally {
    deadline?.callOff();
  }
}

function startDeadline(timer: Timer, milliseconds: number) {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { passed: promise, callOff: timer.start(milliseconds, resolve) };
}

/** Runs everything up to the commit. */
async function takeIn(
  ports: WebhookPorts,
  platform: PlatformWebhook,
  address: WebhookAddress,
  found: readonly SigningConnection[],
  inbound: InboundDelivery,
) {
  // A platform tests the address before its secret is set here.
  if (isPing(platform, inbound)) return { kind: 'ping' } as const;
  const sender = await verifyByNewest(platform, address, found, inbound);
  if (sender.kind === 'refused') return sender;
  const { connections, verification } = sender;
  // A body of the maximum size takes long to verify, parse and store, so yield to other requests between
  // these steps.
  const isLarge = inbound.body.length > MAX_WITHOUT_YIELD;
  if (isLarge) await ports.timer.yieldTurn();
  const reception = readVerified(platform, inbound, connections, verification);
  if (reception.kind === 'refused') return reception;
  if (isLarge) await ports.timer.yieldTurn();

  const destination = await address.findDestination(reception.connectionId, inbound.body);
  return destination.kind === 'found'
    ? record(ports, platform, inbound, reception, destination)
    : keepUnassigned(ports, platform, inbound, reception, destination);
}

/** Verifies with the connections found earlier, and with the newest ones before it refuses the request. */
async function verifyByNewest(
  platform: PlatformWebhook,
  address: WebhookAddress,
  found: readonly SigningConnection[],
  inbound: InboundDelivery,
) {
  const verified = verifyBy(platform, found, inbound);
  if (verified.kind === 'verified') return verified;
  return verifyBy(platform, (await address.listConnections(inbound.receivedAt, 'newest')) ?? [], inbound);
}

function verifyBy(
  platform: PlatformWebhook,
  connections: readonly SigningConnection[],
  inbound: InboundDelivery,
) {
  if (!isSetUp(connections)) return NOT_SET_UP;
  const verification = verifySender(platform, inbound, connections);
  return verification.kind === 'refused'
    ? verification
    : ({ kind: 'verified', verification, connections } as const);
}

/** A request that a secret has verified. */
type Verified = Exclude<Reception, { readonly kind: 'refused' }>;

async function record(
  ports: WebhookPorts,
  platform: PlatformWebhook,
  inbound: InboundDelivery,
  reception: Verified,
  { orgId, connectionId }: Destination,
) {
  const source = { orgId, platform: platform.label, connectionId };
  const received = {
    ...source,
    receivedAt: inbound.receivedAt,
    bytes: inbound.body,
    headers: keepHeaders(platform, inbound.headers),
    content: reception,
    proof: reception.proof ?? null,
    traceContext: ports.currentTrace?.() ?? null,
    isTest: ports.isTestOrder?.(inbound) ?? false,
  };
  const fulfilment = platform.answers === 'after-fulfilment' ? 'in-request' : 'in-background';
  const orders = reception.kind === 'unreadable' ? [] : listOrders(reception.entries, source);
  const loading = fulfilment === 'in-request' ? beginToLoad(ports, orders) : undefined;
  const recorded = await recordDeliveries(ports, received, fulfilment);
  if (recorded.kind === 'refused') return recorded;
  const { deliveries } = recorded;
  if (reception.kind === 'unreadable') return { ...reception, orgId, deliveryId: deliveries[0]?.id };
  // `recordDeliveries` makes one delivery of each entry, in the same order.
  const waiting = deliveries.flatMap(({ id }, at) => {
    const order = orders[at];
    return order ? [{ order, deliveryId: id, ...(loading && { loading }) }] : [];
  });
  return { kind: 'taken', orgId, deliveries, orders: waiting } as const;
}

/**
 * Loads what is known of the order while its request is recorded: the commit of its plan checks all of it anyway. Of several
 * orders, a later one can rest on what an earlier one bought.
 */
function beginToLoad(
  { fulfilment }: WebhookPorts,
  [order, ...others]: readonly (Order | null)[],
): Promise<OrderSnapshot> | undefined {
  if (!order || others.length > 0) return undefined;
  const loading = fulfilment.loadSnapshot(order);
  // Nobody waits for it if the request is not recorded.
  loading.catch(() => undefined);
  return loading;
}

async function keepUnassigned(
  ports: WebhookPorts,
  platform: PlatformWebhook,
  inbound: InboundDelivery,
  reception: Verified,
  { tenantRef, reason }: Extract<DeliveryDestination, { readonly kind: 'unassigned' }>,
) {
  if (reception.kind === 'unreadable') return { ...reception, orgId: null, deliveryId: undefined };
  const deliveries = await recordUnassigned(ports, {
    tenantRef,
    reason,
    receivedAt: inbound.receivedAt,
    body: { bytes: inbound.body, headers: keepHeaders(platform, inbound.headers) },
    entries: reception.entries,
  });
  return { kind: 'unassigned', deliveries, reason } as const;
}

/** The order of each entry, or null for an event that is not an order. */
function listOrders(
  entries: readonly TranslatedEntry[],
  source: Pick<Order, 'orgId' | 'platform' | 'connectionId'>,
): readonly (Order | null)[] {
  return entries.map((entry) => (entry.kind === 'order' ? { ...entry.order, ...source } : null));
}

interface RecordedOrder {
  readonly order: Order;
  readonly deliveryId: string;
  /** What is known of it, if that is being loaded already. */
  readonly loading?: Promise<OrderSnapshot>;
}

/**
 * Fulfils orders that were just recorded until the deadline has passed. It never rejects: the delivery's
 * job processes what fails or is not done in time.
 */
export async function fulfilUntil(
  deadline: Promise<void>,
  ports: FulfilOrderPorts,
  orders: readonly RecordedOrder[],
): Promise<{
  /** The deliveries that were decided in time. */
  readonly decided: ReadonlyMap<string, Pick<DecidedDelivery, 'status' | 'reason'>>;
  readonly trouble: FulfilmentTrouble | null;
}> {
  const decided = new Map<string, DecidedDelivery>();
  let trouble: FulfilmentTrouble | null = null;

  await beforeDeadline(fulfilAll()).catch((error: unknown) => {
    trouble = { kind: 'failed', error };
  });
  return { decided: new Map(decided), trouble };

  async function fulfilAll(): Promise<void> {
    for (const recorded of orders) {
      if (trouble) return;
      await fulfil(recorded).catch((error) => {
        // The job decided this delivery first, so continue with the next order.
        if (!isDecidedMeanwhile(error)) throw error;
      });
    }
  }

  async function fulfil({ order, deliveryId, loading }: RecordedOrder): Promise<void> {
    const { delivery } = await fulfilOrder(ports, order, { id: deliveryId, attempts: 0 }, loading);
    decided.set(deliveryId, delivery);
  }

  function beforeDeadline(work: Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      work.then(resolve, reject);
      void deadline.then(() => {
        trouble ??= { kind: 'too-slow' };
        resolve();
      });
    });
  }
}

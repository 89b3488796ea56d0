import { type Alert, alertOfEntry } from '../model/alert.ts';
import type { Delivery, DeliveryBody, ReceivedDelivery } from '../model/delivery.ts';
import { normalizeEmail, readEmail } from '../model/email-address.ts';
import type { Job } from '../model/job.ts';
import type { TranslatedOrder } from '../model/order.ts';
import { nameRefunded, type Refund } from '../model/refund.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { DeliveryLog } from '../ports/fulfilment.ts';

/** `deliveries`: one for each entry of the request, in the same order. */
type RecordDeliveriesResult =
  | { readonly kind: 'recorded'; readonly deliveries: readonly Delivery[] }
  /** Its proof was used before with another body; or it is not among the rejected any more. Nothing is recorded. */
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * How long the job waits for the request that recorded the order. It is longer than the time limit of any request, so
 * that the two do not race; if they do, unique keys decide.
 */
export const HEAD_START_MS = 10_000;

/**
 * Writes one request into the webhook log, with an entry and a job for each order. Once this resolves, the orders are
 * durable, whatever crashes next: only then may the platform get a 2xx.
 */
export async function recordDeliveries(
  ports: { readonly clock: Clock; readonly ids: Ids; readonly deliveries: Pick<DeliveryLog, 'record'> },
  received: ReceivedDelivery,
  fulfilment: 'in-request' | 'in-background',
): Promise<RecordDeliveriesResult> {
  const body: DeliveryBody = { id: ports.ids.next(), bytes: received.bytes, headers: received.headers };
  const deliveries = listEntries(received).map((entry) => ({
    id: ports.ids.next(),
    orgId: received.orgId,
    platform: received.platform,
    connectionId: received.connectionId,
    bodyId: body.id,
    receivedAt: received.receivedAt,
    note: received.rejected?.note ?? null,
    ...(received.traceContext && { traceContext: received.traceContext }),
    ...(received.isTest && { isTest: true }),
    ...entry,
  }));
  const headStart = fulfilment === 'in-request' ? HEAD_START_MS : 0;
  const startAfter = new Date(ports.clock.now().getTime() + headStart);
  const jobs = deliveries
    .filter(({ status }) => status === 'pending')
    .map(
      (delivery): Job => ({
        kind: 'fulfil-delivery',
        orgId: received.orgId,
        deliveryId: delivery.id,
        attempts: 0,
        startAfter,
      }),
    );
  const proof = received.proof ?? null;
  const rejectedId = received.rejected?.id ?? null;
  const alerts = deliveries.filter(({ status }) => status === 'error').map(alertOfUnreadable);
  const refunds = listRefunds(received, deliveries);
  const recording = { orgId: received.orgId, body, deliveries, jobs, proof, rejectedId, alerts, refunds };
  const outcome = await ports.deliveries.record(recording);
  if (outcome === 'gone') return { kind: 'refused', reason: 'Someone else has delivered it meanwhile.' };
  if (outcome === 'recorded' || proof === null) return { kind: 'recorded', deliveries };
  const { whenReused } = proof;
  if (whenReused.kind === 'refuse') return { kind: 'refused', reason: whenReused.reason };
  const noted = deliveries.map((delivery) => ({
    ...delivery,
    note: joinNotes(delivery.note, whenReused.note),
  }));
  return { kind: 'recorded', deliveries: noted };
}

/** Several notes as one; null when there is none. */
export function joinNotes(...notes: readonly (string | null)[]): string | null {
  return notes.filter((note) => note !== null).join(' ') || null;
}

function listEntries({
  content,
}: ReceivedDelivery): readonly Pick<Delivery, 'status' | 'reason' | keyof OrderNames>[] {
  if (content.kind === 'unreadable') return [{ ...NO_ORDER, status: 'error', reason: content.problem }];
  if (content.entries.length === 0) {
    return [{ ...NO_ORDER, status: 'ignored', reason: 'The delivery holds no event.' }];
  }
  return content.entries.map((entry) =>
    entry.kind === 'order'
      ? { ...nameOrder(entry.order), status: 'pending', reason: null }
      : {
          ...NO_ORDER,
          orderId: entry.orderId,
          orderNumber: entry.orderNumber?.slice(0, MAX_NUMBER_LENGTH) ?? null,
          status: entry.kind,
          reason: entry.reason,
        },
  );
}

/** Of each order the first. Each entry has its delivery at the same place. */
function listRefunds(
  { content, connectionId, receivedAt: at }: ReceivedDelivery,
  deliveries: readonly Delivery[],
): readonly Refund[] {
  if (content.kind === 'unreadable') return [];
  const refunds = content.entries.flatMap((entry, place) => {
    const named = nameRefunded(entry);
    return named ? [{ connectionId, ...named, deliveryId: deliveries[place]?.id ?? '', at }] : [];
  });
  const ofOrders = Map.groupBy(refunds, ({ namedBy, order }) => `${namedBy} ${order}`);
  return [...ofOrders.values()].flatMap(([first]) => first ?? []);
}

function alertOfUnreadable(delivery: Delivery): Alert {
  const { orderId, orderNumber, reason, receivedAt } = delivery;
  const entry = { ...delivery, orderNumber: orderNumber ?? orderId };
  return alertOfEntry(entry, 'unreadable', { customerEmail: null, reason, at: receivedAt });
}

/** What an entry of the log is found by. */
type OrderNames = Pick<Delivery, 'orderId' | 'orderNumber' | 'normalizedEmail'>;

export const NO_ORDER: OrderNames = { orderId: null, orderNumber: null, normalizedEmail: null };

/** Longer than any genuine one, and short enough for an index. */
const MAX_NUMBER_LENGTH = 200;

export function nameOrder({ orderId, orderNumber, customer }: TranslatedOrder): OrderNames {
  const email = readEmail(customer.email);
  return {
    orderId,
    orderNumber: orderNumber.slice(0, MAX_NUMBER_LENGTH),
    normalizedEmail: email === null ? null : normalizeEmail(email),
  };
}

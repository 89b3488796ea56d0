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
  /** Nothing is recorded: its proof was used before with another body, or a rejected request was delivered by somebody else. */
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * How long the job of an order waits for the request that recorded it, which decides the order itself. It is longer than the time
 * limit of any request, so that they do not race; if they do, the store commits one of them.
 */
export const HEAD_START_MS = 10_000;

/**
 * Writes one request into the webhook log, with an entry and a job for each order. Once this resolves, the orders are durable:
 * only then may the response be 2xx.
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

/** Joins the notes that are not null; null if there are none. */
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

/** The first refund of each order. The entry and its delivery have the same index. */
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

/** The searchable facts about the order of an entry. */
type OrderNames = Pick<Delivery, 'orderId' | 'orderNumber' | 'normalizedEmail'>;

export const NO_ORDER: OrderNames = { orderId: null, orderNumber: null, normalizedEmail: null };

/** The longest stored order number: longer than genuine ones, and short enough for an index. */
const MAX_NUMBER_LENGTH = 200;

export function nameOrder({ orderId, orderNumber, customer }: TranslatedOrder): OrderNames {
  const email = readEmail(customer.email);
  return {
    orderId,
    orderNumber: orderNumber.slice(0, MAX_NUMBER_LENGTH),
    normalizedEmail: email === null ? null : normalizeEmail(email),
  };
}

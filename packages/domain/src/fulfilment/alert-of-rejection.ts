import { type Alert, aboutRejected } from '../model/alert.ts';
import type { ReceivedDelivery } from '../model/delivery.ts';
import type { RejectedDelivery } from '../model/rejected-delivery.ts';
import type { Connections } from '../ports/connections.ts';
import type { DeliveryPages, RejectedReader } from '../ports/fulfilment.ts';

const SECRET_ENDED = 'It is signed with a secret that was replaced here and has ended.';
const NEVER_FITTED =
  'It is signed with a secret that is not set here. Nothing that came from there was ever accepted: the secret may be mistyped.';

/** A time before any secret ended, so that `connections.list` also returns ended secrets. */
const BEFORE_ALL = new Date(0);

interface Ports {
  readonly connections: Pick<Connections, 'list'>;
  readonly deliveries: Pick<DeliveryPages, 'hasReceived'>;
  readonly rejectedReader: RejectedReader;
}

/**
 * The alert for a rejected request that most likely came from the shop. Either it is signed with a former secret of the
 * organisation, which nobody else has. Or it looks like an order, its platform is set up, and nothing was ever accepted from
 * that platform: then the secret may be mistyped, or the request forged, so the alert repeats nothing of its content. Null
 * for any other request, so that strangers cannot cause mails to a shop that works.
 */
export async function alertOfRejection(ports: Ports, rejected: RejectedDelivery): Promise<Alert | null> {
  const { id, orgId, platform, receivedAt: at } = rejected;
  const everKnown = (await ports.connections.list(orgId, platform, BEFORE_ALL)) ?? [];
  const received = ports.rejectedReader.read(rejected, everKnown);
  if (!received) {
    const mayBeMistyped = everKnown.length > 0 && rejected.order !== undefined;
    if (!mayBeMistyped || (await ports.deliveries.hasReceived(orgId, platform))) return null;
  }
  const problem = received
    ? { ...namesOf(received), reason: SECRET_ENDED }
    : { orderNumber: null, customerEmail: null, reason: NEVER_FITTED };
  const details = { deliveryId: null, platform, ...problem, at };
  return { orgId, cause: 'rejected', about: aboutRejected(platform), subjectId: id, details };
}

function namesOf({ content }: ReceivedDelivery) {
  const entries = content.kind === 'translated' ? content.entries : [];
  const first = entries.find((entry) => entry.kind === 'order');
  return {
    orderNumber: first?.order.orderNumber ?? null,
    customerEmail: first?.order.customer.email ?? null,
  };
}

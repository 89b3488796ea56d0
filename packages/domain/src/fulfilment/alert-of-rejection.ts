import { type Alert, aboutRejected } from '../model/alert.ts';
import type { ReceivedDelivery } from '../model/delivery.ts';
import type { RejectedDelivery } from '../model/rejected-delivery.ts';
import type { Connections } from '../ports/connections.ts';
import type { DeliveryPages, RejectedReader } from '../ports/fulfilment.ts';

const SECRET_ENDED = 'It is signed with a secret that was replaced here and has ended.';
const NEVER_FITTED =
  'It is signed with a secret that is not set here. Nothing that came from there was ever accepted: the secret may be mistyped.';

/** Before any secret ended: a connection's ended secrets are listed, too. */
const BEFORE_ALL = new Date(0);

interface Ports {
  readonly connections: Pick<Connections, 'list'>;
  readonly deliveries: Pick<DeliveryPages, 'hasReceived'>;
  readonly rejectedReader: RejectedReader;
}

/**
 * The alert for a rejected request that its shop most likely sent. Either a secret signed it which the organisation had once: its shop
 * goes on signing with a secret that has ended, and nobody else can. Or it looks like an order, and nothing was ever accepted from a
 * platform that is set up: then nobody can tell a mistyped secret from a forged request, and the alert repeats no word of it. Null for
 * any other, so that nobody outside can cause mails to a shop that works.
 */
export async function alertOfRejection(ports: Ports, rejected: RejectedDelivery): Promise<Alert | null> {
  const { id, orgId, platform, receivedAt: at } = rejected;
  const everKnown = (await ports.connections.list(orgId, platform, BEFORE_ALL)) ?? [];
  const received = ports.rejectedReader.read(rejected, everKnown);
  if (!received) {
    const mayBeMistyped = everKnown.length > 0 && rejected.order !== undefined;
    if (!mayBeMistyped || (await ports.deliveries.hasReceived(orgId, platform))) return null;
  }
  const told = received
    ? { ...namesOf(received), reason: SECRET_ENDED }
    : { ...NAMELESS, reason: NEVER_FITTED };
  const details = { deliveryId: null, platform, ...told, at };
  return { orgId, cause: 'rejected', about: aboutRejected(platform), subjectId: id, details };
}

const NAMELESS = { orderNumber: null, customerEmail: null };

function namesOf({ content }: ReceivedDelivery) {
  const entries = content.kind === 'translated' ? content.entries : [];
  const first = entries.find((entry) => entry.kind === 'order');
  return {
    orderNumber: first?.order.orderNumber ?? null,
    customerEmail: first?.order.customer.email ?? null,
  };
}

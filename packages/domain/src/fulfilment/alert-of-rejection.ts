import { type Alert, aboutRejected } from '../model/alert.ts';
import type { TranslatedEntry } from '../model/order.ts';
import type { RejectedDelivery } from '../model/rejected-delivery.ts';
import type { Connections } from '../ports/connections.ts';
import type { RejectedReader } from '../ports/fulfilment.ts';

const SECRET_ENDED = 'It is signed with a secret that was replaced here and has ended.';

/** Before any secret ended: a connection's ended secrets are listed, too. */
const BEFORE_ALL = new Date(0);

/**
 * The alert for a rejected request that a secret signed which the organisation had once: it is genuine, and its shop goes
 * on signing with a secret that has ended. Null for any other. Nobody else can sign like this, so nobody outside can
 * cause mails.
 */
export async function alertOfRejection(
  ports: { readonly connections: Pick<Connections, 'list'>; readonly rejectedReader: RejectedReader },
  rejected: RejectedDelivery,
): Promise<Alert | null> {
  const { id, orgId, platform, receivedAt: at } = rejected;
  const everKnown = (await ports.connections.list(orgId, platform, BEFORE_ALL)) ?? [];
  const received = ports.rejectedReader.read(rejected, everKnown);
  if (!received) return null;
  const entries = received.content.kind === 'translated' ? received.content.entries : [];
  const details = { deliveryId: null, platform, ...namesOf(entries), reason: SECRET_ENDED, at };
  return { orgId, cause: 'rejected', about: aboutRejected(platform), subjectId: id, details };
}

function namesOf(entries: readonly TranslatedEntry[]) {
  const first = entries.find((entry) => entry.kind === 'order');
  return {
    orderNumber: first?.order.orderNumber ?? null,
    customerEmail: first?.order.customer.email ?? null,
  };
}

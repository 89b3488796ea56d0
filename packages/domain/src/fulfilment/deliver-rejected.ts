import type { ReceivedDelivery } from '../model/delivery.ts';
import type { Platform } from '../model/platform.ts';
import { REJECTED_LIFETIME_MS, type RejectedDelivery } from '../model/rejected-delivery.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { Connections } from '../ports/connections.ts';
import type { DeliveryLog, RejectedDeliveries, RejectedReader } from '../ports/fulfilment.ts';
import { recordDeliveries } from './record-deliveries.ts';

interface Ports {
  readonly clock: Clock;
  readonly connections: Pick<Connections, 'list'>;
  readonly rejected: Pick<RejectedDeliveries, 'list'>;
  readonly rejectedReader: RejectedReader;
}

/** Counts the kept rejected requests of a platform that a current secret verifies. */
export async function countGenuineRejected(ports: Ports, orgId: string, platform: Platform): Promise<number> {
  return (await findGenuine(ports, orgId, platform)).length;
}

/** The ids of those requests. */
export async function listGenuineRejected(
  ports: Ports,
  orgId: string,
  platform: Platform,
): Promise<readonly string[]> {
  return (await findGenuine(ports, orgId, platform)).map(({ rejected }) => rejected.id);
}

/**
 * Records those requests as if they were received now, oldest first: all of them, or those in `chosen`. Returns their number.
 * Each leaves the rejected requests in the transaction that logs it, so that a concurrent call does not deliver it twice.
 */
export async function deliverRejected(
  ports: Ports & { readonly ids: Ids; readonly deliveries: DeliveryLog },
  orgId: string,
  platform: Platform,
  chosen: readonly string[] | null = null,
): Promise<number> {
  let delivered = 0;
  for (const { rejected, received } of await findGenuine(ports, orgId, platform)) {
    if (chosen !== null && !chosen.includes(rejected.id)) continue;
    const note = `Rejected on ${rejected.receivedAt.toISOString().slice(0, 10)}, delivered after the secret was set.`;
    const delivery = { ...received, rejected: { id: rejected.id, note } };
    const outcome = await recordDeliveries(ports, delivery, 'in-background');
    if (outcome.kind === 'recorded') delivered += 1;
  }
  return delivered;
}

interface Genuine {
  readonly rejected: RejectedDelivery;
  readonly received: ReceivedDelivery;
}

async function findGenuine(
  { clock, connections, rejected, rejectedReader }: Ports,
  orgId: string,
  platform: Platform,
): Promise<readonly Genuine[]> {
  const now = clock.now();
  const known = (await connections.list(orgId, platform, now)) ?? [];
  const kept = await rejected.list(orgId, platform, new Date(now.getTime() - REJECTED_LIFETIME_MS));
  return kept.flatMap((delivery) => {
    const received = rejectedReader.read(delivery, known);
    return received ? [{ rejected: delivery, received }] : [];
  });
}

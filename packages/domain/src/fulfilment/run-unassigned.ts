import type { AssignableDelivery } from '../model/unassigned-delivery.ts';
import type { UnassignedDeliveries } from '../ports/fulfilment.ts';
import { type DestinationPorts, findSharedConnection } from './find-destination.ts';

export type RunUnassignedPorts = Omit<DestinationPorts, 'accounts'> & {
  readonly unassigned: Pick<UnassignedDeliveries, 'assign' | 'listAssignable'>;
};

/**
 * Moves every unassigned delivery whose organisation is known by now into that organisation's webhook log, where its job
 * fulfils it: all of them, or those of one account. Returns how many it moved, without those that concurrent callers
 * moved.
 */
export async function runUnassigned(
  ports: RunUnassignedPorts,
  account: string | null = null,
): Promise<number> {
  let moved = 0;
  for await (const delivery of ports.unassigned.listAssignable(account)) {
    if (await assign(ports, delivery)) moved += 1;
  }
  return moved;
}

async function assign(ports: RunUnassignedPorts, delivery: AssignableDelivery): Promise<boolean> {
  const destination = await findSharedConnection(ports, delivery.orgId, delivery.account);
  if (!destination) return false;
  const outcome = await ports.unassigned.assign(delivery.id, destination, ports.clock.now());
  return outcome === 'assigned';
}

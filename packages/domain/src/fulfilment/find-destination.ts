import { type Destination, NAMED_IN_METADATA } from '../model/connection.ts';
import { SHARED_PLATFORM } from '../model/platform.ts';
import type { TenantRef } from '../model/unassigned-delivery.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { Connections, PaymentAccounts } from '../ports/connections.ts';

/** The ports for finding the organisation of an event of the shared platform. */
export interface DestinationPorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly connections: Connections;
  readonly accounts: PaymentAccounts;
}

/** The destination of an event of the shared platform, or why it has none. */
export type FoundDestination =
  | ({ readonly kind: 'found' } & Destination)
  | {
      readonly kind: 'unassigned';
      /** A sentence for the operator. */
      readonly reason: string;
    };

/**
 * Finds the organisation of an event of the shared platform. The operator maps accounts to organisations. An organisation
 * that the event names must exist; its connection for such events is added when the first one comes.
 */
export async function findDestination(
  ports: DestinationPorts,
  tenantRef: TenantRef,
): Promise<FoundDestination> {
  if (tenantRef.kind === 'nobody') return { kind: 'unassigned', reason: tenantRef.reason };
  if (tenantRef.kind === 'account') {
    const mapped = await ports.accounts.find(tenantRef.account);
    const reason = `The account ${tenantRef.account.slice(0, 100)} is mapped to no organisation.`;
    return mapped ? { kind: 'found', ...mapped } : { kind: 'unassigned', reason };
  }
  const named = await findSharedConnection(ports, tenantRef.orgId, null);
  const reason = `The event names the organisation “${tenantRef.orgId.slice(0, 100)}”, which does not exist.`;
  return named ? { kind: 'found', ...named } : { kind: 'unassigned', reason };
}

/** The connection for events of one account, or (null) for those that name the organisation themselves. */
export function findSharedConnection(
  { clock, ids, connections }: Omit<DestinationPorts, 'accounts'>,
  orgId: string,
  account: string | null,
): Promise<Destination | null> {
  return connections.findOrAdd({
    orgId,
    platform: SHARED_PLATFORM,
    name: account ?? NAMED_IN_METADATA,
    connectionId: ids.next(),
    now: clock.now(),
  });
}

import {
  type Connections,
  type DestinationPorts,
  type FoundDestination,
  findDestination,
  listSharedSecrets,
  type Platform,
  type SharedSecrets,
  type TenantRef,
} from '@handover/domain';
import type { SigningConnection } from '@handover/platform-contract';
import type { SharedPlatform } from '../http-ports.ts';

/** Finds the secrets and the owner of a delivery: by the organisation in the URL, or by the event. */
export interface WebhookAddress {
  /**
   * The connections whose secrets may have signed the request. Null: the organisation does not exist. A
   * refusal is never based on `recent` ones: another process may have set a secret a moment ago, and some
   * shops never send again.
   */
  listConnections(now: Date, seen: 'newest' | 'recent'): Promise<readonly SigningConnection[] | null>;
  /** Called for verified deliveries only, with the connection whose secret verified it. */
  findDestination(connectionId: string, body: Uint8Array): Promise<DeliveryDestination>;
}

export function isSetUp(connections: readonly SigningConnection[]): boolean {
  return connections.some(({ secrets }) => secrets.length > 0);
}

/** The answer when there is no secret to verify with; it says nothing about the sender. */
export const NOT_SET_UP = {
  kind: 'refused',
  reason: 'This platform is not set up. Set its secret first.',
  notSetUp: true,
} as const;

export type DeliveryDestination =
  | Extract<FoundDestination, { readonly kind: 'found' }>
  | (Extract<FoundDestination, { readonly kind: 'unassigned' }> & { readonly tenantRef: TenantRef });

/**
 * `/webhooks/{orgId}/{platform}`: the delivery belongs to the connection of the organisation that signed
 * it.
 */
export function organisationAddress(
  ports: { readonly connections: Connections },
  platform: Platform,
  orgId: string,
): WebhookAddress {
  return {
    listConnections: (now, seen) => ports.connections.list(orgId, platform, now, seen),
    findDestination: async (connectionId) => ({ kind: 'found', orgId, connectionId }),
  };
}

/**
 * `/webhooks/payments-a`: the service holds the secrets, and the event names the organisation. The body is
 * not parsed before a secret has verified all of it.
 */
export function sharedAddress(
  ports: DestinationPorts & { readonly sharedSecrets: Pick<SharedSecrets, 'list'> },
  { readTenantRef, ...settings }: Pick<SharedPlatform, 'secrets' | 'trialSecret' | 'readTenantRef'>,
): WebhookAddress {
  return {
    listConnections: async (now, seen) => {
      const secrets = await listSharedSecrets(ports, settings, now, seen);
      return secrets.length === 0 ? [] : [{ id: 'service', secrets }];
    },
    findDestination: async (_connectionId, body) => {
      const tenantRef = readTenantRef(body);
      const destination = await findDestination(ports, tenantRef);
      return destination.kind === 'found' ? destination : { ...destination, tenantRef };
    },
  };
}

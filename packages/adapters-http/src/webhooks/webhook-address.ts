import {
  type Connections,
  type DestinationPorts,
  type FoundDestination,
  findDestination,
  type Platform,
  type TenantRef,
} from '@handover/domain';
import type { SigningConnection } from '@handover/platform-contract';
import type { SharedPlatform } from '../http-ports.ts';

/** What tells whose delivery a request is: the one thing in which the two kinds of webhook address differ. */
export interface WebhookAddress {
  /**
   * The connections whose secrets may have signed what comes in. Null: there is no such organisation. Nothing is refused by
   * `recent` ones: a secret may have been set in another process a moment ago, and some shops never send again.
   */
  listSigners(now: Date, seen: 'newest' | 'recent'): Promise<readonly SigningConnection[] | null>;
  /** Asked of a verified delivery only, with the connection whose secret verified it. */
  findDestination(signer: string, body: Uint8Array): Promise<DeliveryDestination>;
}

export function isSetUp(signers: readonly SigningConnection[]): boolean {
  return signers.some(({ secrets }) => secrets.length > 0);
}

/** The answer where there is no secret to verify anything with, which says nothing of the sender. */
export const NOT_SET_UP = {
  kind: 'refused',
  reason: 'This platform is not set up. Set its secret first.',
  notSetUp: true,
} as const;

export type DeliveryDestination =
  | Extract<FoundDestination, { readonly kind: 'found' }>
  | (Extract<FoundDestination, { readonly kind: 'unassigned' }> & { readonly tenantRef: TenantRef });

/** `/webhooks/{orgId}/{platform}`: what one of the organisation's connections signed is that connection's. */
export function organisationAddress(
  ports: { readonly connections: Connections },
  platform: Platform,
  orgId: string,
): WebhookAddress {
  return {
    listSigners: (now, seen) => ports.connections.list(orgId, platform, now, seen),
    findDestination: async (signer) => ({ kind: 'found', orgId, connectionId: signer }),
  };
}

/**
 * `/webhooks/payments-a`: the service holds the secrets, and the event says whose it is. Not one byte of it is believed,
 * nor read, before a secret has verified all of it.
 */
export function sharedAddress(
  ports: DestinationPorts,
  { secrets, readTenantRef }: SharedPlatform,
): WebhookAddress {
  return {
    listSigners: async () => (secrets.length === 0 ? [] : [{ id: 'service', secrets }]),
    findDestination: async (_signer, body) => {
      const tenantRef = readTenantRef(body);
      const destination = await findDestination(ports, tenantRef);
      return destination.kind === 'found' ? destination : { ...destination, tenantRef };
    },
  };
}

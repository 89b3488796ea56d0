import { type InboundDelivery, type PlatformWebhook, verifySender } from '@handover/platform-contract';
import { whileDatabaseAnswers } from '../database-answers.ts';
import type { HttpPorts } from '../http-ports.ts';
import type { WebhookOutcome } from './receive-webhook.ts';
import { isSetUp, NOT_SET_UP, type WebhookAddress } from './webhook-address.ts';

type TriedAddress =
  | { readonly kind: 'right' }
  | Extract<
      WebhookOutcome,
      { readonly kind: 'unknown-organisation' | 'refused' | 'throttled' | 'not-recorded' }
    >;

/** Tests whether a delivery to this address would be accepted. Nothing is recorded. */
export async function tryAddress(
  { database }: Pick<HttpPorts, 'database'>,
  platform: PlatformWebhook,
  address: WebhookAddress,
  inbound: InboundDelivery,
): Promise<TriedAddress> {
  try {
    const connections = await whileDatabaseAnswers(
      database,
      address.listConnections(inbound.receivedAt, 'newest'),
    );
    if (connections === null) return { kind: 'unknown-organisation' };
    if (!isSetUp(connections)) return NOT_SET_UP;
    const verification = verifySender(platform, inbound, connections);
    return verification.kind === 'refused' ? verification : { kind: 'right' };
  } catch (error) {
    return { kind: 'not-recorded', error };
  }
}

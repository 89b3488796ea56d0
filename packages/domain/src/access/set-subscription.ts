import type { Organisations } from '../ports/access.ts';
import type { Clock } from '../ports/clock.ts';

/** `released`: how many orders had been held for the subscription, and are being fulfilled now. */
export type SetSubscriptionResult =
  | { readonly kind: 'set'; readonly released: number }
  | { readonly kind: 'unknown-organisation' };

/**
 * Says until when an organisation's subscription lasts; null: for ever. A subscription that lasts again releases what
 * was held because it had expired.
 */
export async function setSubscription(
  ports: { readonly clock: Clock; readonly organisations: Organisations },
  orgId: string,
  expiresAt: Date | null,
): Promise<SetSubscriptionResult> {
  const now = ports.clock.now();
  const releases = expiresAt === null || expiresAt > now;
  const released = await ports.organisations.setSubscription(orgId, expiresAt, releases ? now : null);
  return released === null ? { kind: 'unknown-organisation' } : { kind: 'set', released };
}

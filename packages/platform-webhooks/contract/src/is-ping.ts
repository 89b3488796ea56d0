import type { InboundDelivery, PlatformWebhook } from './platform-webhook.ts';

/**
 * Whether a request is the platform's unsigned test of the address. It is answered with exactly 200 and not
 * recorded. The check precedes `receive` and needs neither connection nor secret. It never throws.
 */
export function isPing(
  platform: Pick<PlatformWebhook, 'isPing'>,
  inbound: Pick<InboundDelivery, 'body' | 'headers'>,
): boolean {
  try {
    return platform.isPing?.(inbound) ?? false;
  } catch {
    return false;
  }
}

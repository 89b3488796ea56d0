import type { InboundDelivery, PlatformWebhook } from './platform-webhook.ts';

/**
 * Whether a request is the platform's unsigned trial of the address, to be answered exactly 200 and then forgotten.
 * It is asked before `receive`, and needs neither connection nor secret. It never throws.
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

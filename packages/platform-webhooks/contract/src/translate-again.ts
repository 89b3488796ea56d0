import type { DeliveryBody, OrderReader, TranslatedOrder } from '@handover/domain';
import type { PlatformWebhook, PlatformWebhooks } from './platform-webhook.ts';
import { readBody } from './read-body.ts';

/** Reads one order again from the bytes of a stored request; null when they do not contain it. */
export function translateAgain(
  platform: PlatformWebhook,
  body: Pick<DeliveryBody, 'bytes' | 'headers'>,
  orderId: string,
): TranslatedOrder | null {
  const read = readBody(platform, body.bytes, body.headers);
  if ('kind' in read) return null;
  const orders = read.flatMap((entry) => (entry.kind === 'order' ? [entry.order] : []));
  return orders.find((order) => order.orderId === orderId) ?? null;
}

/** Reads stored deliveries of these platforms again. They were verified before they were stored. */
export function createOrderReader(platforms: PlatformWebhooks): OrderReader {
  return {
    read({ orgId, platform: label, connectionId, orderId, body }) {
      const platform = platforms[label];
      const order = platform && body && orderId !== null ? translateAgain(platform, body, orderId) : null;
      return order && { ...order, orgId, platform: label, connectionId };
    },
  };
}

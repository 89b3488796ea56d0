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

/** The first order of a body that nobody verified: for people to see whose it may be, and never to deliver. */
export function readUnverified(
  platform: PlatformWebhook,
  body: Pick<DeliveryBody, 'bytes' | 'headers'>,
): TranslatedOrder | null {
  const read = readBody(platform, body.bytes, body.headers);
  if ('kind' in read) return null;
  return read.flatMap((entry) => (entry.kind === 'order' ? [entry.order] : []))[0] ?? null;
}

/** Reads stored deliveries of these platforms again. They were verified before they were stored. */
export function createOrderReader(platforms: PlatformWebhooks): OrderReader {
  return {
    read({ orgId, platform: label, connectionId, orderId, body, addedEmail = null }) {
      const platform = platforms[label];
      const order = platform && body && orderId !== null ? translateAgain(platform, body, orderId) : null;
      const customer = order && { ...order.customer, email: order.customer.email ?? addedEmail };
      return order && customer && { ...order, customer, orgId, platform: label, connectionId };
    },
  };
}

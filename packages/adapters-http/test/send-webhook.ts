import { signedSample } from '@handover/platform-storefront-a/testing';
import { expect } from 'vitest';
import type { TestShop } from './open-test-shop.ts';

export const SALE = { orderId: '5001', email: 'ana@example.com', sku: 'pads' };

/** Sends a delivery to the shop's storefront-a endpoint: a genuine order, unless it is told another. */
export function send(
  { app, shop }: TestShop,
  { body, headers }: ReturnType<typeof signedSample> = signedSample('test-secret', SALE),
  remoteAddress = '127.0.0.1',
) {
  const url = `/webhooks/${shop.orgId}/storefront-a`;
  return app.inject({ method: 'POST', url, headers, remoteAddress, payload: Buffer.from(body) });
}

/** What every platform is answered for a request of one order. @returns the id of its entry. */
export function expectOneOrder(
  answer: Awaited<ReturnType<typeof send>>,
  orderId: string,
  status = 'pending',
): string {
  expect(answer.statusCode).toBe(200);
  const { deliveryId } = answer.json();
  expect(answer.json()).toEqual({
    received: true,
    deliveryId,
    status,
    deliveries: [{ deliveryId, orderId, status }],
  });
  return deliveryId;
}

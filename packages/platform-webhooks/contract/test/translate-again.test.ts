import { describe, expect, it } from 'vitest';
import { createOrderReader, type PlatformWebhook, translateAgain } from '../src/index.ts';
import { fakePlatform, ORDER } from './fake-platform.ts';

const batch: PlatformWebhook = {
  ...fakePlatform,
  translate: () => [
    { kind: 'ignored', orderId: '1', reason: 'An order like any other was cancelled.' },
    { kind: 'order', order: ORDER },
    { kind: 'order', order: { ...ORDER, orderId: '2' } },
  ],
};
const body = { id: 'body-1', bytes: new TextEncoder().encode('{}'), headers: {} };

describe('a stored request', () => {
  it.each(['1', '2'])('gives order %s of its batch', (orderId) => {
    expect(translateAgain(batch, body, orderId)).toEqual({ ...ORDER, orderId });
  });

  it.each([
    ['another order', batch, body],
    ['bytes that are gone', batch, { ...body, bytes: new Uint8Array() }],
    ['a translator that has changed', { ...batch, translate: () => [] }, body],
  ])('gives no order for %s', (_case, platform, stored) => {
    expect(translateAgain(platform, stored, '3')).toBeNull();
  });
});

describe('the reader of stored deliveries', () => {
  const delivery = {
    id: 'delivery-1',
    orgId: 'org-1',
    platform: 'storefront-b',
    connectionId: 'main',
    bodyId: 'body-1',
    orderId: '2',
    orderNumber: null,
    normalizedEmail: null,
    receivedAt: new Date(0),
    status: 'pending',
    reason: null,
    note: null,
    attempts: 0,
    body,
  } as const;
  const reader = createOrderReader({ 'storefront-b': batch });

  it('names the buyer of each order', () => {
    expect(reader.read(delivery)).toEqual({
      ...ORDER,
      orderId: '2',
      orgId: 'org-1',
      platform: 'storefront-b',
      connectionId: 'main',
    });
  });

  it('finds no order in an entry without one, or of a platform that is not installed', () => {
    expect(reader.read({ ...delivery, orderId: null })).toBeNull();
    expect(reader.read({ ...delivery, platform: 'cart-a' })).toBeNull();
  });
});

import { fulfilOrder } from '@handover/domain';
import { makeOrder, recordOrder } from '@handover/testkit';
import { expect } from 'vitest';
import { bearer } from './open-test-shop.ts';
import { test } from './test-in-shop.ts';

test('GET /api/purchases returns flat rows, with the address of the newest link', async ({ testShop }) => {
  const order = makeOrder(testShop.shop);
  const delivery = await recordOrder({ ...testShop.ports, stores: testShop.stores }, order);
  const plan = await fulfilOrder(testShop.ports, order, { id: delivery.id, attempts: 0 });
  const answer = await testShop.app.inject({
    url: '/api/purchases',
    headers: bearer(testShop.shop.ownerKey),
  });
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toEqual([
    {
      id: plan.purchases[0]?.id,
      orgId: testShop.shop.orgId,
      customerId: plan.customer?.id,
      customerName: 'Ana Lima',
      customerEmail: 'ana@example.com',
      productId: testShop.shop.product.id,
      productName: 'Pads',
      productSlug: 'pads',
      amount: '49.00',
      currency: 'EUR',
      paymentMethod: 'storefront-a',
      source: 'storefront-a',
      orderId: '5001',
      createdAt: '2026-03-02T09:00:00.000Z',
      downloadUrl: testShop.ports.tokens.url(testShop.shop.orgId, plan.links[0]?.id ?? ''),
      downloadExpiresAt: '2026-03-04T09:00:00.000Z',
      downloadUsedAt: null,
      receiptSentAt: null,
      isTest: false,
    },
  ]);
});

test('GET /api/purchases returns an empty array without purchases', async ({ testShop }) => {
  const answer = await testShop.app.inject({
    url: '/api/purchases',
    headers: bearer(testShop.shop.ownerKey),
  });
  expect(answer.body).toBe('[]');
});

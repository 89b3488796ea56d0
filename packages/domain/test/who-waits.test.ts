import { type OrderReader, updateProduct, whoWaits } from '@handover/domain';
import { makeOrder, recordOrder } from '@handover/domain/testing';
import { expect, test } from 'vitest';
import { fulfilOrder } from '../src/fulfilment/fulfil-order.ts';
import { openShopInMemory } from './open-shop-in-memory.ts';

/** A shop whose product is a draft, with an order of each of these buyers, oldest first. */
async function holdOrdersOf(buyers: readonly string[]) {
  const ports = await openShopInMemory();
  const { shop } = ports;
  await updateProduct(ports, shop.orgId, shop.product.id, { status: 'draft' });
  const openedAt = ports.clock.now();
  for (const [at, name] of buyers.entries()) {
    const order = makeOrder(shop, {
      orderId: `${at}`,
      customer: { email: 'buyer@example.com', name },
    });
    const { id } = await recordOrder(ports, order);
    await fulfilOrder(ports, order, { id, attempts: 0 });
    ports.clock.advance(60_000);
  }
  const orders: OrderReader = {
    read: ({ orderId }) =>
      makeOrder(shop, { customer: { email: 'buyer@example.com', name: buyers[Number(orderId)] ?? '' } }),
  };
  return { openedAt, waiting: await whoWaits({ ...ports, orders }, shop.orgId, shop.product.id) };
}

test('of those who wait the first three are named, and all are counted', async () => {
  const { openedAt, waiting } = await holdOrdersOf(['Ana Lima', 'Jo Reed', 'Mia Kern', 'Ed Hall']);
  expect(waiting).toEqual({
    count: 4,
    oldestAt: openedAt,
    named: 3,
    names: ['Ana Lima', 'Jo Reed', 'Mia Kern'],
  });
});

test('whoever waits for two orders is named once', async () => {
  const { waiting } = await holdOrdersOf(['Ana Lima', 'Ana Lima']);
  expect(waiting).toMatchObject({ count: 2, named: 2, names: ['Ana Lima'] });
});

test('nobody waits for what nothing holds', async () => {
  const { waiting } = await holdOrdersOf([]);
  expect(waiting).toEqual({ count: 0, oldestAt: null, named: 0, names: [] });
});

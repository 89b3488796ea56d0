import { findWaitingBuyers, type Order, type OrderReader, updateProduct } from '@handover/domain';
import { makeOrder, recordOrder } from '@handover/testkit';
import { expect, test } from 'vitest';
import { fulfilOrder } from '../src/fulfilment/fulfil-order.ts';
import { openShopInMemory } from './open-shop-in-memory.ts';

/** A shop whose product is a draft, with an order of each of these buyers, oldest first. */
async function holdOrdersOf(
  buyers: readonly string[],
  /** How a buyer's order reads by now. */
  reads: Readonly<Record<string, Order['customer']>> = {},
  { keepsBodies = true } = {},
) {
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
    read: ({ orderId }) => {
      const name = buyers[Number(orderId)] ?? '';
      return makeOrder(shop, { customer: reads[name] ?? { email: 'buyer@example.com', name } });
    },
  };
  const find = async (orgId: string, deliveryId: string) => {
    const stored = await ports.deliveries.find(orgId, deliveryId);
    return stored && !keepsBodies ? { ...stored, body: null } : stored;
  };
  const waiting = await findWaitingBuyers(
    { ...ports, deliveries: { find }, orders },
    shop.orgId,
    shop.product.id,
  );
  return { openedAt, waiting };
}

test('of those who wait the first three are named, and all are counted', async () => {
  const { openedAt, waiting } = await holdOrdersOf(['Ana Lima', 'Jo Reed', 'Mia Kern', 'Ed Hall']);
  expect(waiting).toEqual({
    count: 4,
    oldestAt: openedAt,
    named: 3,
    names: ['Ana Lima', 'Jo Reed', 'Mia Kern'],
    isReleasing: false,
  });
});

test('asks whether the entries of this product are being released', async () => {
  const { openDeliveries, deliveries } = await openShopInMemory();
  const orders: OrderReader = { read: () => null };
  const asked: unknown[] = [];
  const isReleasing = async (...given: unknown[]) => {
    asked.push(given);
    return true;
  };
  const ports = { openDeliveries: { ...openDeliveries, isReleasing }, deliveries, orders };
  expect(await findWaitingBuyers(ports, 'o', 'p')).toMatchObject({ count: 0, isReleasing: true });
  expect(asked).toEqual([['o', { kind: 'product', productId: 'p' }]]);
});

test('names a buyer once who waits for two orders', async () => {
  const { waiting } = await holdOrdersOf(['Ana Lima', 'Ana Lima']);
  expect(waiting).toMatchObject({ count: 2, named: 2, names: ['Ana Lima'] });
});

test('nobody waits for what nothing holds', async () => {
  const { waiting } = await holdOrdersOf([]);
  expect(waiting).toEqual({ count: 0, oldestAt: null, named: 0, names: [], isReleasing: false });
});

test('who has no name is called by the address, and whose order cannot be read by nothing', async () => {
  const { waiting } = await holdOrdersOf(['Ana Lima', 'Jo Reed', 'Mia Kern'], {
    'Ana Lima': { email: 'ana@example.com', name: null },
    'Jo Reed': { email: null, name: null },
  });
  expect(waiting).toMatchObject({ count: 3, named: 2, names: ['ana@example.com', 'Mia Kern'] });
});

test('an entry whose body was removed names nobody', async () => {
  const { waiting } = await holdOrdersOf(['Ana Lima'], {}, { keepsBodies: false });
  expect(waiting).toMatchObject({ count: 1, named: 0, names: [] });
});

import { fulfilDelivery, fulfilOrder, redeliver, updateProduct } from '@handover/domain';
import { makeOrder, recordOrder } from '@handover/domain/testing';
import { expect, it } from 'vitest';
import { openShopInMemory } from './open-shop-in-memory.ts';

it('an order whose facts never stand still is given up for the job to try again', async () => {
  const { stores, shop, clock, ids } = await openShopInMemory();
  let commits = 0;
  const fulfilment = {
    ...stores.fulfilment,
    commit: async () => {
      commits += 1;
      return 'changed-meanwhile' as const;
    },
  };
  const fulfilled = fulfilOrder({ clock, ids, fulfilment }, makeOrder(shop), { id: 'd', attempts: 0 });
  await expect(fulfilled).rejects.toMatchObject({ code: 'contended' });
  expect(commits).toBeGreaterThan(10);
});

it('the job fulfils what the request left undone, and leaves alone what it did', async () => {
  const ports = await openShopInMemory();
  const { stores, shop } = ports;
  const order = makeOrder(shop);
  const { id: deliveryId } = await recordOrder(ports, order);
  const job = { ...ports, ...stores, orders: { read: () => order } };
  expect(await fulfilDelivery(job, { orgId: shop.orgId, deliveryId, attempts: 0 })).toMatchObject({
    kind: 'fulfilled',
  });
  expect(await fulfilDelivery(job, { orgId: shop.orgId, deliveryId, attempts: 0 })).toEqual({
    kind: 'nothing-to-do',
  });
  expect(await fulfilDelivery(job, { orgId: shop.orgId, deliveryId: 'x', attempts: 0 })).toEqual({
    kind: 'nothing-to-do',
  });
});

it('a held order is delivered by redelivering it once its product is published, and then once only', async () => {
  const ports = await openShopInMemory();
  const { stores, shop } = ports;
  const publish = (status: 'draft' | 'published') =>
    updateProduct({ ...ports, products: stores.products }, shop.orgId, shop.product.id, { status });
  await publish('draft');
  const order = makeOrder(shop);
  const { id } = await recordOrder(ports, order);
  const again = () => redeliver({ ...ports, ...stores, orders: { read: () => order } }, shop.orgId, id);
  expect(await again()).toMatchObject({ kind: 'redelivered', delivery: { status: 'held' } });
  await publish('published');
  const released = [await again(), await again(), ...(await Promise.all([again(), again(), again()]))];
  expect(new Set(released.map(({ kind }) => kind))).toEqual(new Set(['redelivered']));
  expect(released[0]).toMatchObject({ delivery: { status: 'pending', lines: [{ outcome: 'delivered' }] } });
  const purchases: unknown[] = [];
  for await (const purchase of stores.purchases.list(shop.orgId)) purchases.push(purchase);
  expect(purchases).toHaveLength(1);
  expect((await stores.queuedJobs()).filter(({ kind }) => kind === 'send-receipt')).toHaveLength(1);
});

it('what holds no order, or is unknown, cannot be redelivered', async () => {
  const ports = await openShopInMemory();
  const { stores, shop } = ports;
  const { id } = await recordOrder(ports, makeOrder(shop));
  const job = { ...ports, ...stores, orders: { read: () => null } };
  expect(await redeliver(job, shop.orgId, id)).toEqual({ kind: 'no-order', reason: null });
  expect(await redeliver(job, shop.orgId, 'x')).toEqual({ kind: 'unknown-delivery' });
});

it('a test order is ignored while its connection ignores them, and no other order is', async () => {
  const ports = await openShopInMemory();
  const { stores, shop } = ports;
  const ignore = (ignoreTestOrders: boolean) =>
    stores.connections.setRules(shop.orgId, 'storefront-a', 'main', { ignoreTestOrders });
  await ignore(true);
  const order = makeOrder(shop, { test: true });
  const { id } = await recordOrder(ports, order);
  const again = () => redeliver({ ...ports, ...stores, orders: { read: () => order } }, shop.orgId, id);
  expect(await again()).toMatchObject({
    delivery: {
      status: 'ignored',
      reason: 'It is a test order, and this connection ignores those.',
      note: 'Test order.',
      lines: [],
    },
  });
  const real = makeOrder(shop, { orderId: '5002' });
  const { id: other } = await recordOrder(ports, real);
  const plan = await fulfilOrder({ ...ports, ...stores }, real, { id: other, attempts: 0 });
  expect(plan.purchases).toHaveLength(1);
  await ignore(false);
  expect(await again()).toMatchObject({ delivery: { status: 'pending', lines: [{ outcome: 'delivered' }] } });
});

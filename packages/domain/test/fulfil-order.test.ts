import { fulfilDelivery, fulfilOrder } from '@handover/domain';
import {
  createCountingIds,
  createInMemoryStores,
  createManualClock,
  createPlainApiKeys,
  makeOrder,
  openShop,
  recordOrder,
} from '@handover/domain/testing';
import { expect, it } from 'vitest';

async function openedShop() {
  const stores = createInMemoryStores();
  const ports = {
    stores,
    clock: createManualClock(),
    ids: createCountingIds(),
    apiKeys: createPlainApiKeys(),
  };
  return { ...ports, shop: await openShop(ports) };
}

it('an order whose facts never stand still is given up for the job to try again', async () => {
  const { stores, shop, clock, ids } = await openedShop();
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
  const ports = await openedShop();
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

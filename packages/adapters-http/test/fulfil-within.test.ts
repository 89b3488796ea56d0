import { fulfilOrder, type Timer } from '@handover/domain';
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
import { fulfilWithin } from '../src/webhooks/fulfil-within.ts';

const patient: Timer = { start: () => () => undefined, yieldTurn: async () => undefined };

it('goes on with the next order when the job of one was quicker, and finds no trouble in it', async () => {
  const stores = createInMemoryStores();
  const clock = createManualClock();
  const ports = { ...stores, stores, clock, ids: createCountingIds(), apiKeys: createPlainApiKeys() };
  const shop = await openShop(ports);
  const orders = await Promise.all(
    ['1', '2'].map(async (orderId) => {
      const order = makeOrder(shop, { orderId });
      return { order, deliveryId: (await recordOrder(ports, order)).id };
    }),
  );
  const [first, second] = orders;
  if (!first || !second) throw new Error('There are two.');
  await fulfilOrder(ports, first.order, { id: first.deliveryId, attempts: 0 });
  const { decided, trouble } = await fulfilWithin(1000, { ...ports, timer: patient }, orders);
  expect(trouble).toBe(null);
  expect([...decided.keys()]).toEqual([second.deliveryId]);
});

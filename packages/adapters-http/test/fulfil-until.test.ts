import { fulfilOrder } from '@handover/domain';
import { createInMemoryStores } from '@handover/domain/memory';
import {
  createCountingIds,
  createFakeApiKeys,
  createManualClock,
  makeOrder,
  openShop,
  recordOrder,
} from '@handover/testkit';
import { expect, it } from 'vitest';
import { fulfilUntil } from '../src/webhooks/receive-webhook.ts';

const never = new Promise<void>(() => undefined);

it('continues with the next order when a job has already decided one', async () => {
  const stores = createInMemoryStores();
  const clock = createManualClock();
  const ports = { ...stores, stores, clock, ids: createCountingIds(), apiKeys: createFakeApiKeys() };
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
  const { decided, trouble } = await fulfilUntil(never, ports, orders);
  expect(trouble).toBe(null);
  expect([...decided.keys()]).toEqual([second.deliveryId]);
});

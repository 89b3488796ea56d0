import {
  DomainError,
  fulfilDelivery,
  fulfilOrder,
  redeliver,
  resolveDelivery,
  sendEmail,
  updateProduct,
} from '@handover/domain';
import { createFakeComposing, makeOrder, recordOrder, sendsEmail } from '@handover/testkit';
import { describe, expect, it } from 'vitest';
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

it('an order whose entry was decided meanwhile is not tried again', async () => {
  const ports = await openShopInMemory();
  const { stores, shop } = ports;
  const order = makeOrder(shop);
  const { id } = await recordOrder(ports, order);
  let commits = 0;
  const fulfilment: typeof stores.fulfilment = {
    ...stores.fulfilment,
    commit: async (plan) => {
      commits += 1;
      expect(await stores.fulfilment.commit(plan)).toBe('committed');
      return stores.fulfilment.commit(plan);
    },
  };
  const late = fulfilOrder({ ...ports, fulfilment }, order, { id, attempts: 0 });
  await expect(late).rejects.toMatchObject({
    code: 'decided-meanwhile',
    message: `Entry ${id} was decided meanwhile.`,
  });
  expect(commits).toBe(1);
});

it('each committed decision is observed, with what was decided and how long it took', async () => {
  const ports = await openShopInMemory();
  const { clock, shop, stores } = ports;
  const order = makeOrder(shop);
  const { id } = await recordOrder(ports, order);
  const startedAt = clock.now();
  const fulfilment: typeof stores.fulfilment = {
    ...stores.fulfilment,
    commit: async (plan) => {
      clock.advance(250);
      return stores.fulfilment.commit(plan);
    },
  };
  const observed: unknown[] = [];
  const observeDecision = (decision: unknown) => void observed.push(decision);
  const delivery = { id, attempts: 0 };
  const plan = await fulfilOrder({ ...ports, fulfilment, observeDecision }, order, delivery);
  expect(observed).toEqual([{ order, delivery, plan, startedAt, endedAt: clock.now() }]);
  expect(clock.now()).not.toEqual(startedAt);
});

it('an order that lost a race is decided again from what is known by then', async () => {
  const ports = await openShopInMemory();
  const { stores, shop } = ports;
  const publish = (status: 'draft' | 'published') =>
    updateProduct(ports, shop.orgId, shop.product.id, { status });
  await publish('draft');
  const order = makeOrder(shop);
  const { id } = await recordOrder(ports, order);
  let commits = 0;
  const fulfilment: typeof stores.fulfilment = {
    ...stores.fulfilment,
    commit: async (plan) => {
      commits += 1;
      if (commits === 1) await publish('published');
      return stores.fulfilment.commit(plan);
    },
  };
  const plan = await fulfilOrder({ ...ports, fulfilment }, order, { id, attempts: 0 });
  expect(plan.purchases).toHaveLength(1);
  expect(commits).toBe(2);
});

it('an order is decided on what its caller loaded, and if that is outdated, on what is known by then', async () => {
  const ports = await openShopInMemory();
  const { stores, shop } = ports;
  const [first, second] = [makeOrder(shop, { orderId: '1' }), makeOrder(shop, { orderId: '2' })];
  const entries = [await recordOrder(ports, first), await recordOrder(ports, second)];
  let loads = 0;
  const fulfilment: typeof stores.fulfilment = {
    ...stores.fulfilment,
    loadSnapshot: (order) => {
      loads += 1;
      return stores.fulfilment.loadSnapshot(order);
    },
  };
  const fulfil = (order: typeof first, at: number, loading: ReturnType<typeof fulfilment.loadSnapshot>) =>
    fulfilOrder({ ...ports, fulfilment }, order, { id: entries[at]?.id ?? '', attempts: 0 }, loading);

  await fulfil(first, 0, stores.fulfilment.loadSnapshot(first));
  expect(loads).toBe(0);

  const outdated = stores.fulfilment.loadSnapshot(second);
  await outdated;
  await updateProduct(ports, shop.orgId, shop.product.id, { status: 'draft' });
  const plan = await fulfil(second, 1, outdated);
  expect(plan).toMatchObject({ purchases: [], delivery: { status: 'held' } });
  expect(loads).toBe(1);
});

it('a job that fails says so, so that it is done again', async () => {
  const ports = await openShopInMemory();
  const { stores, shop } = ports;
  const order = makeOrder(shop);
  const { id: deliveryId } = await recordOrder(ports, order);
  const commit = () => Promise.reject(new Error('The connection was cut.'));
  const failing = { ...ports, fulfilment: { ...stores.fulfilment, commit }, orders: { read: () => order } };
  const job = fulfilDelivery(failing, { orgId: shop.orgId, deliveryId, attempts: 0 });
  await expect(job).rejects.toThrow('The connection was cut.');
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
  expect((await stores.queuedJobs()).filter(sendsEmail('receipt'))).toHaveLength(1);
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

describe('an entry that two run at the same moment', () => {
  /** Its commit fails with this, after somebody else has decided the entry, or with nobody else there. */
  async function openContended(error: Error, { decidedMeanwhile }: { readonly decidedMeanwhile: boolean }) {
    const ports = await openShopInMemory();
    const { stores, shop } = ports;
    const order = makeOrder(shop);
    const { id } = await recordOrder(ports, order);
    const fulfilment = {
      ...stores.fulfilment,
      commit: async () => {
        if (decidedMeanwhile) await fulfilOrder({ ...ports, ...stores }, order, { id, attempts: 0 });
        throw error;
      },
    };
    const contended = { ...ports, ...stores, fulfilment, orders: { read: () => order } };
    return {
      work: () => fulfilDelivery(contended, { orgId: shop.orgId, deliveryId: id, attempts: 0 }),
      again: () => redeliver(contended, shop.orgId, id),
    };
  }
  const decided = new DomainError('decided-meanwhile', 'It was decided meanwhile.');
  const contended = new DomainError('contended', 'It kept changing.');
  const down = new DomainError('store-unavailable', 'It is down.');

  it('has nothing left to do for the one who comes late', async () => {
    const { work } = await openContended(decided, { decidedMeanwhile: true });
    expect(await work()).toEqual({ kind: 'nothing-to-do' });
    const { again } = await openContended(decided, { decidedMeanwhile: true });
    expect(await again()).toMatchObject({ kind: 'redelivered', delivery: { status: 'pending' } });
  });

  it('is left to another try where nobody has decided it', async () => {
    const { work, again } = await openContended(contended, { decidedMeanwhile: false });
    await expect(work()).rejects.toBe(contended);
    await expect(again()).rejects.toBe(contended);
  });

  it('is left to another try after any other failure, even if another worker decided it', async () => {
    const { work } = await openContended(down, { decidedMeanwhile: true });
    await expect(work()).rejects.toBe(down);
    const { again } = await openContended(down, { decidedMeanwhile: true });
    await expect(again()).rejects.toBe(down);
  });
});

it('an entry whose body was removed cannot be redelivered', async () => {
  const ports = await openShopInMemory();
  const { stores, shop } = ports;
  const order = makeOrder(shop);
  const { id } = await recordOrder(ports, order);
  const find = async (...of: Parameters<typeof stores.deliveries.find>) => {
    const stored = await stores.deliveries.find(...of);
    return stored && { ...stored, body: null };
  };
  const deliveries = { ...stores.deliveries, find };
  const removed = { ...ports, ...stores, deliveries, orders: { read: () => order } };
  expect(await redeliver(removed, shop.orgId, id)).toEqual({ kind: 'body-removed' });
});

it('an order that cannot be committed is named in the error', async () => {
  const { stores, shop, clock, ids } = await openShopInMemory();
  const fulfilment = { ...stores.fulfilment, commit: async () => 'changed-meanwhile' as const };
  const order = makeOrder(shop, { orderId: '5002' });
  await expect(fulfilOrder({ clock, ids, fulfilment }, order, { id: 'd', attempts: 0 })).rejects.toThrow(
    'Order 5002 could not be committed: its facts kept changing.',
  );
});

it('an entry that only completes sends no receipt again, one that is delivered does', async () => {
  const ports = await openShopInMemory();
  const { stores, shop } = ports;
  const order = makeOrder(shop);
  const { id: first } = await recordOrder(ports, order);
  const plan = await fulfilOrder({ ...ports, ...stores }, order, { id: first, attempts: 0 });
  const mailer = { send: async () => ({ kind: 'refused', answer: '550' }) as const };
  await sendEmail(
    { ...createFakeComposing(), ...ports, ...stores, mailer },
    { orgId: shop.orgId, emailId: plan.receipt?.id ?? '' },
  );
  const { id: second } = await recordOrder(ports, order);
  const job = { ...ports, ...stores, orders: { read: () => order } };
  const named = { orgId: shop.orgId, deliveryId: second };
  expect(await resolveDelivery(job, { ...named, attempts: 0 })).toMatchObject({ plan: { resend: [] } });
  expect(await fulfilDelivery(job, { ...named, attempts: 1 })).toMatchObject({
    plan: { resend: [plan.receipt?.id] },
  });
});

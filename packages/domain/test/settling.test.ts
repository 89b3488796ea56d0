import type { Order } from '@handover/domain';
import {
  fulfilDelivery,
  redeliver,
  releaseEntries,
  releaseHeld,
  resolveDelivery,
  updateProduct,
} from '@handover/domain';
import { createInMemoryStores } from '@handover/domain/memory';
import {
  createCountingIds,
  createFakeApiKeys,
  createManualClock,
  makeLine,
  makeOrder,
  openShop,
  publishProduct,
  recordOrder,
  sendsEmail,
} from '@handover/testkit';
import fc from 'fast-check';
import { expect, it } from 'vitest';

type Step =
  | { readonly kind: 'order'; readonly orderId: string; readonly skus: readonly string[] }
  | { readonly kind: 'set'; readonly product: number; readonly status: 'draft' | 'published' }
  | { readonly kind: 'redeliver'; readonly entry: number }
  | { readonly kind: 'release'; readonly product: number }
  | { readonly kind: 'work' };

const aProduct = fc.nat({ max: 1 });
const aStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('order' as const),
    orderId: fc.constantFrom('1', '2'),
    skus: fc.subarray(['PADS', 'KEYS', 'nobody'], { minLength: 1 }),
  }),
  fc.record({
    kind: fc.constant('set' as const),
    product: aProduct,
    status: fc.constantFrom('draft' as const, 'published' as const),
  }),
  fc.record({ kind: fc.constant('redeliver' as const), entry: fc.nat() }),
  fc.record({ kind: fc.constant('release' as const), product: aProduct }),
  fc.constant({ kind: 'work' as const }),
);

it('whatever comes in, is published, released and delivered again: no entry waits for what its order has', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { maxLength: 25 }), async (steps) => {
      const opened = await openedShop();
      for (const step of steps) await opened.take(step);
      await opened.work();
      const sold = await opened.purchases();
      expect(new Set(sold).size).toBe(sold.length);
      for (const { orderId, status, lines } of await opened.entries()) {
        for (const { outcome, productId } of lines) {
          if (productId === null || !sold.includes(`${orderId} ${productId}`)) continue;
          expect([outcome, status]).toEqual([
            expect.stringContaining('delivered'),
            expect.not.stringMatching('error'),
          ]);
        }
      }
      const alerts = (await opened.jobs()).filter(sendsEmail('alert'));
      expect(alerts.length).toBeLessThanOrEqual(1);
    }),
    { numRuns: 60 },
  );
});

async function openedShop() {
  const stores = createInMemoryStores();
  const clock = createManualClock();
  const base = { stores, clock, ids: createCountingIds(), apiKeys: createFakeApiKeys() };
  const shop = await openShop(base);
  const products = [shop.product, (await publishProduct(base, shop.orgId, 'Keys')).product];
  const orders = new Map<string, Order>();
  const read = ({ id }: { readonly id: string }) => orders.get(id) ?? null;
  const ports = { ...base, ...stores, orders: { read } };

  const work = async () => {
    const todo = async () =>
      (await stores.queuedJobs()).filter(({ kind }) => /^(fulfil|resolve|release)-/.test(kind));
    for (let [job] = await todo(); job; [job] = await todo()) {
      stores.finishJob(job);
      if (job.kind === 'fulfil-delivery') await fulfilDelivery(ports, job);
      if (job.kind === 'resolve-delivery') await resolveDelivery(ports, job);
      if (job.kind === 'release-entries') while ((await releaseEntries(ports, job)) !== 'done');
    }
  };
  const take = async (step: Step): Promise<void> => {
    const productId = 'product' in step ? (products[step.product]?.id ?? '') : '';
    switch (step.kind) {
      case 'order': {
        const lines = step.skus.map((sku) => makeLine(sku));
        const order = makeOrder(shop, { orderId: step.orderId, lines });
        orders.set((await recordOrder(base, order)).id, order);
        return;
      }
      case 'set':
        await updateProduct(ports, shop.orgId, productId, { status: step.status });
        return;
      case 'redeliver': {
        const entry = [...orders.keys()][step.entry % Math.max(1, orders.size)];
        if (entry) await redeliver(ports, shop.orgId, entry);
        return;
      }
      case 'release':
        await releaseHeld(ports, shop.orgId, productId);
        return;
      case 'work':
        await work();
    }
  };
  const all = { status: null, platform: null, before: null, limit: 1000 };
  return {
    take,
    work,
    entries: () => stores.deliveries.list(shop.orgId, all),
    jobs: () => stores.queuedJobs(),
    purchases: async () => {
      const rows: string[] = [];
      for await (const row of stores.purchases.list(shop.orgId)) rows.push(`${row.orderId} ${row.productId}`);
      return rows;
    },
  };
}

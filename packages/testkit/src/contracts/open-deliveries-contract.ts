import {
  countOpenWithSku,
  fulfilDelivery,
  fulfilOrder,
  mapSku,
  type Order,
  releaseEntries,
  releaseHeld,
  releaseUnmatched,
  resolveDelivery,
} from '@handover/domain';
import { makeLine, makeOrder, openShop, publishProduct } from '../samples.ts';
import { collect, type OpenedShop, type StoresRunner } from './harness.ts';
import { fulfil, makeLines, setStatus } from './shop-actions.ts';

/** Held and unmatched entries, their release, and how one delivery resolves the other entries of its order. */
export function openDeliveriesContract({ describe, it, expect }: StoresRunner): void {
  describe('held entries', () => {
    it('are released for their product, all at once, and their orders are delivered once each', async (opened) => {
      const { stores, shop } = opened;
      const { product } = await publishProduct(opened, shop.orgId, 'Keys');
      await setStatus(opened, 'draft', shop.product.id);
      await setStatus(opened, 'draft', product.id);
      const orders = ['1', '1', '1', '2'].map((orderId) => makeOrder(shop, { orderId }));
      for (const order of orders) await fulfil(opened, order);
      await fulfil(opened, makeOrder(shop, { orderId: '3', lines: [makeLine('KEYS')] }));
      const { openDeliveries } = stores;
      expect(await openDeliveries.countHeld(shop.orgId, shop.product.id)).toBe(2);
      expect(await openDeliveries.countHeld(shop.orgId, product.id)).toBe(1);
      await setStatus(opened, 'published', shop.product.id);
      await releaseHeld(opened, shop.orgId, shop.product.id);
      await work(opened, (orderId) => makeOrder(shop, { orderId }));
      const sold = await collect(stores.purchases.list(shop.orgId));
      expect(sold.map(({ orderId }) => orderId).sort()).toEqual(['1', '2']);
      expect(await openDeliveries.countHeld(shop.orgId, shop.product.id)).toBe(0);
      expect(await openDeliveries.countHeld(shop.orgId, product.id)).toBe(1);
      expect((await opened.queuedJobs()).map(({ kind }) => kind)).toEqual(['send-email', 'send-email']);
    });

    it('are listed by order, the one that has waited longest first', async (opened) => {
      const { stores, shop, clock } = opened;
      await setStatus(opened, 'draft', shop.product.id);
      const entries = [];
      for (const orderId of ['2', '1', '2', '3']) {
        const { delivery } = await fulfil(opened, makeOrder(shop, { orderId }));
        entries.push({ deliveryId: delivery.id, receivedAt: clock.now() });
        clock.advance(60_000);
      }
      const [second, first, , third] = entries;
      const list = (limit: number) => stores.openDeliveries.listHeld(shop.orgId, shop.product.id, limit);
      expect(await list(9)).toEqual([second, first, third]);
      expect(await list(2)).toEqual([second, first]);
      const other = await openShop(opened, 'Other');
      expect(await stores.openDeliveries.listHeld(other.orgId, shop.product.id, 9)).toEqual([]);
      expect(await stores.openDeliveries.listHeld(shop.orgId, 'nonsense', 9)).toEqual([]);
    });

    it('that are released twice have one job, due at the earlier time, and none once anybody decided them', async (opened) => {
      const { stores, shop, clock } = opened;
      await setStatus(opened, 'draft', shop.product.id);
      const order = orderOf(opened, '1', ['PADS']);
      const { delivery } = await fulfil(opened, order);
      await setStatus(opened, 'published', shop.product.id);
      const startAfter = clock.now();
      const release = { kind: 'product', productId: shop.product.id } as const;
      for (const at of [startAfter, new Date(startAfter.getTime() + 1000)]) {
        await stores.openDeliveries.release(shop.orgId, release, at);
        await stores.openDeliveries.releaseNext(shop.orgId, release, { at, limit: 9 });
      }
      const listRuns = async () =>
        (await opened.queuedJobs()).filter(({ kind }) => kind.endsWith('-delivery'));
      const job = { kind: 'fulfil-delivery', orgId: shop.orgId, deliveryId: delivery.id, attempts: 1 };
      expect(await listRuns()).toEqual([{ ...job, startAfter }]);
      await fulfilOrder(opened, order, {
        id: delivery.id,
        attempts: 1,
      });
      expect(await listRuns()).toEqual([]);
    });

    it('of one order are all completed when one of them is delivered', async (opened) => {
      const { stores, shop } = opened;
      await setStatus(opened, 'draft', shop.product.id);
      const order = makeOrder(shop, { lines: [makeLine('PADS'), makeLine('unknown')] });
      const ids: string[] = [];
      for (let count = 0; count < 9; count += 1) ids.push((await fulfil(opened, order)).delivery.id);
      await setStatus(opened, 'published', shop.product.id);
      const stored = await stores.deliveries.find(shop.orgId, ids[4] ?? '');
      if (!stored) throw new Error('The entry is missing.');
      await fulfilOrder(opened, order, stored);
      const jobs = await opened.queuedJobs();
      expect(jobs.filter(({ kind }) => kind === 'resolve-delivery')).toHaveLength(8);
      await work(opened, () => order);
      expect(await collect(stores.purchases.list(shop.orgId))).toHaveLength(1);
      for (const [at, id] of ids.entries()) {
        expect(await stores.deliveries.show(shop.orgId, id)).toMatchObject({
          status: 'pending',
          reason: null,
          lines: [{ outcome: at === 4 ? 'delivered' : 'already-delivered' }, { outcome: 'unmatched' }],
        });
      }
      expect((await opened.queuedJobs()).map(({ kind }) => kind)).toEqual(['send-email']);
    });

    it('of another organisation, or of no product, are none', async (opened) => {
      const { stores, shop } = opened;
      await setStatus(opened, 'draft', shop.product.id);
      const { delivery } = await fulfil(opened, makeOrder(shop));
      const other = await openShop(opened, 'Other');
      const { openDeliveries } = stores;
      expect(await openDeliveries.countHeld(other.orgId, shop.product.id)).toBe(0);
      expect(await openDeliveries.countHeld(shop.orgId, 'nonsense')).toBe(0);
      await releaseHeld(opened, other.orgId, shop.product.id);
      await releaseHeld(opened, shop.orgId, 'nonsense');
      await releaseHeld(opened, 'nonsense', shop.product.id);
      await work(opened, () => makeOrder(shop));
      expect(await openDeliveries.countHeld(shop.orgId, shop.product.id)).toBe(1);
      expect((await stores.deliveries.find(shop.orgId, delivery.id))?.attempts).toBe(1);
    });
  });

  describe('unmatched SKUs', () => {
    it('are listed each once, the latest first, with their entries; of delivered orders too', async (opened) => {
      const { stores, shop } = opened;
      await fulfil(opened, orderOf(opened, '1', ['Drum Kit', 'DRUM KIT ']));
      const mixed = await fulfil(opened, orderOf(opened, '2', ['PADS', 'drum kit']));
      const last = await fulfil(opened, orderOf(opened, '3', ['bells', 'zither']));
      await fulfil(
        opened,
        makeOrder(shop, { orderId: '4', lines: [makeLine('', { candidates: [], title: 'Gift' })] }),
      );
      const { openDeliveries } = stores;
      expect(await openDeliveries.countUnmatched(shop.orgId)).toBe(3);
      const all = await openDeliveries.listUnmatched(shop.orgId, { after: null, limit: 10 });
      expect(all).toEqual([
        unmatched(opened, 'bells', 'bells', 1, last.delivery.id),
        unmatched(opened, 'zither', 'zither', 1, last.delivery.id),
        unmatched(opened, 'drum kit', 'drum kit', 2, mixed.delivery.id),
      ]);
      const after = { deliveryId: last.delivery.id, key: 'bells' };
      expect(await openDeliveries.listUnmatched(shop.orgId, { after, limit: 1 })).toEqual(all.slice(1, 2));
      expect(await countOpenWithSku(opened, shop.orgId, ' Drum kit', null)).toBe(2);
      expect(await countOpenWithSku(opened, shop.orgId, 'drum kit', 'cart-a')).toBe(0);
      const other = await openShop(opened, 'Other');
      expect(await openDeliveries.countUnmatched(other.orgId)).toBe(0);
      expect(await openDeliveries.countUnmatched('nonsense')).toBe(0);
      expect(await openDeliveries.listUnmatched('nonsense', { after: null, limit: 1 })).toEqual([]);
    });

    it('are off the list once mapped or “not ours”; a vendor’s id only by a mapping of its platform', async (opened) => {
      const { stores, shop } = opened;
      const vendor = makeLine('93', { candidates: [{ kind: 'vendor-id', value: '93' }] });
      const lines = [makeLine('one'), makeLine('two'), vendor];
      await fulfil(opened, makeOrder(shop, { lines }));
      const keys = async () =>
        (await stores.openDeliveries.listUnmatched(shop.orgId, { after: null, limit: 9 })).map(
          ({ key }) => key,
        );
      expect(await keys()).toEqual(['93', 'one', 'two']);
      await mapSku(stores, shop.orgId, { sku: 'ONE', platform: null, productId: shop.product.id });
      await mapSku(stores, shop.orgId, { sku: 'two', platform: 'storefront-a', productId: null });
      await mapSku(stores, shop.orgId, { sku: '93', platform: null, productId: null });
      expect(await keys()).toEqual(['93']);
      await mapSku(stores, shop.orgId, { sku: '93', platform: 'cart-a', productId: null });
      expect(await keys()).toEqual(['93']);
      await mapSku(stores, shop.orgId, { sku: '93', platform: 'storefront-a', productId: null });
      expect(await keys()).toEqual([]);
      expect(await stores.openDeliveries.countUnmatched(shop.orgId)).toBe(0);
    });

    it('tell which entries name one exactly, the newest first, whatever else was ordered since', async (opened) => {
      const { stores, shop, clock } = opened;
      const order = async (orderId: string, ...skus: string[]) => {
        clock.advance(1000);
        return (await fulfil(opened, orderOf(opened, orderId, skus))).delivery.id;
      };
      const first = await order('1', 'K-1');
      const second = await order('2', 'PADS', 'k-1 ');
      for (const orderId of ['3', '4', '5']) await order(orderId, 'K-10', 'PADS');
      const list = async (orgId: string, sku: string, limit: number) =>
        (await stores.openDeliveries.listWithSku(orgId, sku, limit)).map(({ id }) => id);
      expect(await list(shop.orgId, 'k-1', 9)).toEqual([second, first]);
      expect(await list(shop.orgId, 'k-1', 1)).toEqual([second]);
      expect(await list(shop.orgId, 'pads', 9)).toEqual([]);
      const asInTheLog = { text: '2', status: null, connectionId: null, before: null, limit: 1 };
      expect(await stores.openDeliveries.listWithSku(shop.orgId, 'k-1', 1)).toEqual(
        await stores.deliveries.search(shop.orgId, asInTheLog),
      );
      const other = await openShop(opened, 'Other');
      expect(await list(other.orgId, 'k-1', 9)).toEqual([]);
      expect(await list('nonsense', 'k-1', 9)).toEqual([]);
      expect(await list(shop.orgId, 'k\0', 9)).toEqual([]);
    });

    it('are released once mapped, and what was delivered before stays as it was', async (opened) => {
      const { stores, shop } = opened;
      const { product } = await publishProduct(opened, shop.orgId, 'Keys');
      const order = orderOf(opened, '1', ['PADS', 'K-1']);
      const { delivery } = await fulfil(opened, order);
      await mapSku(stores, shop.orgId, { sku: 'k-1', platform: null, productId: product.id });
      await releaseUnmatched(opened, shop.orgId, ' K-1 ', 'cart-a');
      await work(opened, () => order);
      expect((await stores.deliveries.find(shop.orgId, delivery.id))?.attempts).toBe(1);
      await releaseUnmatched(opened, shop.orgId, ' K-1 ', null);
      await work(opened, () => order);
      expect(await collect(stores.purchases.list(shop.orgId))).toHaveLength(2);
      expect((await stores.deliveries.show(shop.orgId, delivery.id))?.lines).toMatchObject([
        { outcome: 'already-delivered' },
        { outcome: 'delivered' },
      ]);
    });
  });
}

function orderOf({ shop }: OpenedShop, orderId: string, skus: readonly string[]): Order {
  return makeOrder(shop, { orderId, lines: makeLines(...skus) });
}

function unmatched({ clock }: OpenedShop, sku: string, key: string, entries: number, deliveryId: string) {
  const newest = { deliveryId, receivedAt: clock.now() };
  return { sku, key, platforms: ['storefront-a'], entries, newest };
}

/** Runs the queued jobs of entries, and those that these queue, as workers do: several at once. */
async function work(opened: OpenedShop, orderOfEntry: (orderId: string) => Order): Promise<void> {
  const orders = { read: ({ orderId }: { readonly orderId: string | null }) => orderOfEntry(orderId ?? '') };
  const ports = { ...opened, orders };
  const todo = async () =>
    (await opened.queuedJobs()).filter(({ kind }) => /^(fulfil|resolve|release)-/.test(kind));
  for (let jobs = await todo(); jobs.length > 0; jobs = await todo()) {
    await Promise.all(
      jobs.map(async (job) => {
        if (job.kind === 'fulfil-delivery') await fulfilDelivery(ports, job);
        if (job.kind === 'resolve-delivery') await resolveDelivery(ports, job);
        if (job.kind === 'release-entries') while ((await releaseEntries(ports, job)) !== 'done');
      }),
    );
    await opened.dropJobs(jobs);
  }
}

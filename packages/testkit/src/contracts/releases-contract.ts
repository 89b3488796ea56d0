import { fulfilOrder, mapSku, type Release } from '@handover/domain';
import { prepare } from '../runner.ts';
import { makeLine, makeOrder, openShop, publishProduct } from '../samples.ts';
import type { OpenedShop, StoresRunner } from './harness.ts';
import { fulfil, setStatus } from './shop-actions.ts';

/** A release is stored as one row. Its job goes through the entries page by page. */
export function releasesContract(runner: StoresRunner): void {
  const { describe, it, expect } = prepare(runner, describeShop);

  describe('a release', () => {
    it('is stored with one job, and changes no entry', async (opened) => {
      const { shop, hold, product, release, listJobs, stores, clock } = opened;
      const ids = await hold(3);
      await release(product);
      const startAfter = clock.now();
      expect(await listJobs()).toEqual([
        { kind: 'release-entries', orgId: shop.orgId, release: product, startAfter },
      ]);
      for (const id of ids)
        expect(await stores.deliveries.find(shop.orgId, id)).toMatchObject({ attempts: 1 });
    });

    it('is new until it is over, for one of concurrent calls', async ({ hold, product, release, next }) => {
      await hold(1);
      const answers = await Promise.all([1, 2, 3, 4].map(() => release(product)));
      expect(answers.filter((isNew) => isNew)).toHaveLength(1);
      while ((await next(product, 9)) === 'more');
      expect(await release(product)).toBe(true);
      expect(await release({ kind: 'subscription' })).toBe(true);
    });

    it('queues its entries page by page, each once, and is over when it is looked at after the last', async (opened) => {
      const { shop, hold, product, release, next, listQueued, stores, clock } = opened;
      const ids = await hold(5);
      const isReleasing = () => stores.openDeliveries.isReleasing(shop.orgId, product);
      expect([await isReleasing(), await next(product, 2)]).toEqual([false, 'over']);
      await release(product);
      clock.advance(1000);
      const seen: (readonly [string, boolean, readonly string[]])[] = [];
      for (let page = 0; page < 5; page += 1) {
        const state = await next(product, 2);
        const jobs = (await opened.queuedJobs()).filter(({ kind }) => kind === 'fulfil-delivery');
        expect(jobs.map(({ startAfter }) => startAfter)).toEqual(jobs.map(() => clock.now()));
        seen.push([state, await isReleasing(), await listQueued()]);
        await opened.dropJobs(jobs);
      }
      expect(seen).toEqual([
        ['more', true, ids.slice(0, 2)],
        ['more', true, ids.slice(2, 4)],
        ['more', true, ids.slice(4)],
        ['over', false, []],
        ['over', false, []],
      ]);
    });

    it('ends after a last page that is full, and at once if nothing is open', async (opened) => {
      const { hold, product, release, next, listQueued } = opened;
      const ids = await hold(2);
      await release(product);
      expect([await next(product, 2), await next(product, 2), await next(product, 2)]).toEqual([
        'more',
        'more',
        'over',
      ]);
      expect(await listQueued()).toEqual(ids);
      await release({ kind: 'subscription' });
      expect([await next({ kind: 'subscription' }, 2), await next({ kind: 'subscription' }, 2)]).toEqual([
        'more',
        'over',
      ]);
      expect(await listQueued()).toEqual(ids);
    });

    it('that is added again begins anew, wherever it had come to', async (opened) => {
      const { hold, product, release, next, listQueued } = opened;
      const ids = await hold(3);
      for (const pages of [1, 2]) {
        await release(product);
        for (let page = 0; page < pages; page += 1) expect(await next(product, 2)).toBe('more');
        await opened.dropJobs(await opened.queuedJobs());
      }
      // The last page was queued, and the entries that were decided since are held again.
      await release(product);
      expect(await next(product, 9)).toBe('more');
      expect(await listQueued()).toEqual(ids);
    });

    it('leaves out what was decided since, and takes what is held behind its place meanwhile', async (opened) => {
      const { hold, product, release, next, listQueued, order } = opened;
      const [first = '', second = '', third = ''] = await hold(3);
      await release(product);
      await next(product, 1);
      await setStatus(opened, 'published');
      await fulfilOrder(opened, order(2), { id: second, attempts: 1 });
      await next(product, 9);
      expect(await listQueued()).toEqual([first, third]);
    });

    it('is of its organisation, product, SKU and platform only', async (opened) => {
      const { shop, hold, product, release, next, listQueued, stores } = opened;
      const keys = (await publishProduct(opened, shop.orgId, 'Keys')).product;
      const [unknown = ''] = await hold(1, 'unknown');
      await hold(1);
      const other = await openShop(opened, 'Other');
      const foreign: Release = { kind: 'sku', sku: 'unknown', platform: 'cart-a' };
      const fitting: Release = { kind: 'sku', sku: 'unknown', platform: 'storefront-a' };
      await stores.openDeliveries.release(other.orgId, product, opened.clock.now());
      for (const one of [{ ...product, productId: keys.id }, foreign, { ...foreign, sku: 'pads' }] as const) {
        await release(one);
        await next(one, 9);
      }
      await stores.openDeliveries.releaseNext(other.orgId, product, { at: opened.clock.now(), limit: 9 });
      expect(await next(product, 9)).toBe('over');
      expect(await listQueued()).toEqual([]);
      await release(fitting);
      expect(await next(foreign, 9)).toBe('over');
      await next(fitting, 9);
      expect(await listQueued()).toEqual([unknown]);
    });

    it('of a SKU passes over entries whose body was removed, however many fill a page', async (opened) => {
      const { shop, hold, release, next, listQueued, stores, clock } = opened;
      await hold(3, 'unknown');
      clock.advance(1000);
      const before = clock.now();
      const [kept = ''] = await hold(1, 'unknown', 4);
      expect(await stores.maintenance.removeBodies(before, 9)).toBe(3);
      await mapSku(stores, shop.orgId, { sku: 'unknown', platform: null, productId: shop.product.id });
      const sku: Release = { kind: 'sku', sku: 'unknown', platform: null };
      expect(await stores.openDeliveries.countWithSku(shop.orgId, 'unknown', null)).toBe(1);
      await opened.dropJobs(await opened.queuedJobs());
      await release(sku);
      // Entries that are skipped count as part of a page, so that reading it takes limited time: 2 of 4, 2 of 4, none.
      const states = [await next(sku, 2), await next(sku, 2), await next(sku, 2), await next(sku, 2)];
      expect(states).toEqual(['more', 'more', 'more', 'over']);
      expect(await listQueued()).toEqual([kept]);
    });

    it('is undone with the transaction that added it', async (opened) => {
      const { shop, hold, product, listJobs, stores, clock } = opened;
      await hold(1);
      const work = stores.inTransaction(async ({ openDeliveries }) => {
        await openDeliveries.release(shop.orgId, product, clock.now());
        throw new Error('The process died here.');
      });
      expect(await work.catch((error: Error) => error.message)).toBe('The process died here.');
      expect(await listJobs()).toEqual([]);
      expect(await opened.stores.openDeliveries.isReleasing(shop.orgId, product)).toBe(false);
    });
  });
}

function describeShop(opened: OpenedShop) {
  const { stores, shop, clock } = opened;
  const { openDeliveries } = stores;
  const order = (number: number, sku = 'PADS') =>
    makeOrder(shop, { orderId: `${number}`, lines: [makeLine(sku)] });
  const listJobs = async () =>
    (await opened.queuedJobs()).filter(({ kind }) => /^(fulfil|release)-/.test(kind));
  return {
    ...opened,
    order,
    product: { kind: 'product', productId: shop.product.id } as const,
    /** Adds this many entries that wait for the product or for a SKU, in the order of their ids. */
    hold: async (count: number, sku = 'PADS', from = 1): Promise<readonly string[]> => {
      await setStatus(opened, 'draft');
      const ids: string[] = [];
      for (let number = from; number < from + count; number += 1) {
        ids.push((await fulfil(opened, order(number, sku))).delivery.id);
      }
      return ids;
    },
    release: (release: Release) => openDeliveries.release(shop.orgId, release, clock.now()),
    next: (release: Release, limit: number) =>
      openDeliveries.releaseNext(shop.orgId, release, { at: clock.now(), limit }),
    listJobs,
    /** The entries whose jobs are queued. */
    listQueued: async () =>
      (await listJobs()).flatMap((job) => (job.kind === 'fulfil-delivery' ? [job.deliveryId] : [])).sort(),
  };
}

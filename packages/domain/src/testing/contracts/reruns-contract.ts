import { setSubscription } from '../../access/set-subscription.ts';
import { mapSku } from '../../catalogue/map-sku.ts';
import { updateProduct } from '../../catalogue/update-product.ts';
import { fulfilDelivery, settleDelivery } from '../../fulfilment/fulfil-delivery.ts';
import { fulfilOrder } from '../../fulfilment/fulfil-order.ts';
import type { Job } from '../../fulfilment/job.ts';
import { redeliver } from '../../fulfilment/redeliver.ts';
import { releaseHeld, releaseUnmatched } from '../../fulfilment/release.ts';
import type { Order } from '../../orders/order.ts';
import { removeOldBodies } from '../../upkeep/remove-old-bodies.ts';
import { OVERDUE_AFTER_MS, rescueLostWork } from '../../upkeep/rescue-lost-work.ts';
import type { TestRunner } from '../runner.ts';
import { makeLine, makeOrder, recordOrder } from '../samples.ts';
import type { CreateStores, OpenedShop } from './harness.ts';
import { openFreshShop } from './harness.ts';

const DAY = 24 * 60 * 60 * 1000;

/** What was released, or is to be settled, is run whatever becomes of its job. */
export function rerunsContract({ describe, it, expect }: TestRunner, createStores: CreateStores): void {
  const open = async () => {
    const opened = await openFreshShop(createStores);
    return { ...opened, ...helpers(opened) };
  };

  describe('lost jobs of entries that were decided before', () => {
    it('are put back when they were released for a product', async () => {
      const { receive, setStatus, release, lose, rescue, work, statusOf } = await open();
      await setStatus('draft');
      const entries = [await receive('1', 'PADS'), await receive('2', 'PADS')];
      await setStatus('published');
      expect(await release()).toBe(2);
      const lost = await lose();
      expect(lost).toHaveLength(2);
      expect(await rescue()).toBe(2);
      expect(await work()).toEqual(lost.map(({ kind }) => kind));
      for (const id of entries) expect(await statusOf(id)).toBe('pending');
      expect(await rescue()).toBe(0);
    });

    it('are put back when their SKU was released', async () => {
      const { shop, stores, clock, receive, lose, rescue, work, statusOf } = await open();
      const entry = await receive('1', 'PAD-1');
      await mapSku(stores, shop.orgId, { sku: 'PAD-1', platform: null, productId: shop.product.id });
      expect(await releaseUnmatched({ clock, ...stores }, shop.orgId, 'PAD-1', null)).toBe(1);
      await lose();
      expect(await rescue()).toBe(1);
      await work();
      expect(await statusOf(entry)).toBe('pending');
    });

    it('are put back when the subscription was renewed', async () => {
      const { shop, stores, clock, receive, lose, rescue, work, statusOf } = await open();
      const { organisations } = stores;
      await setSubscription({ clock, organisations }, shop.orgId, new Date(0));
      const entry = await receive('1', 'PADS');
      expect(await statusOf(entry)).toBe('held');
      await setSubscription({ clock, organisations }, shop.orgId, null);
      await lose();
      expect(await rescue()).toBe(1);
      await work();
      expect(await statusOf(entry)).toBe('pending');
    });

    it('are put back when another entry of their order was delivered, and settle them then', async () => {
      const { receive, setStatus, again, lose, rescue, work, statusOf } = await open();
      await setStatus('draft');
      const [first, second] = [await receive('1', 'PADS'), await receive('1', 'PADS')];
      await setStatus('published');
      await again(first);
      expect((await lose()).map(({ kind }) => kind)).toEqual(['settle-delivery']);
      expect(await statusOf(second)).toBe('held');
      expect(await rescue()).toBe(1);
      expect(await work()).toEqual(['settle-delivery']);
      expect(await statusOf(second)).toBe('pending');
      expect(await rescue()).toBe(0);
    });

    it('are none before they are overdue, and where a job waits', async () => {
      const { clock, stores, receive, setStatus, release, lose } = await open();
      await setStatus('draft');
      await receive('1', 'PADS');
      await setStatus('published');
      await release();
      clock.advance(OVERDUE_AFTER_MS + 1);
      expect((await rescueLostWork({ clock, upkeep: stores.upkeep })).reruns).toBe(0);
      await lose();
      await release();
      await lose();
      clock.advance(-OVERDUE_AFTER_MS - 1);
      expect((await rescueLostWork({ clock, upkeep: stores.upkeep })).reruns).toBe(0);
    });

    it('are none once the entry was decided by anyone', async () => {
      const { receive, setStatus, release, again, lose, rescue } = await open();
      await setStatus('draft');
      const entry = await receive('1', 'PADS');
      await release();
      await lose();
      await again(entry);
      expect(await rescue()).toBe(0);
    });

    it('are none once the body is gone: the entry cannot be run any more', async () => {
      const { shop, stores, clock, receive, lose, rescue } = await open();
      await receive('1', 'PAD-1');
      expect(await releaseUnmatched({ clock, ...stores }, shop.orgId, 'PAD-1', null)).toBe(1);
      await lose();
      clock.advance(181 * DAY);
      await removeOldBodies({ clock, upkeep: stores.upkeep }, 180);
      expect(await rescue()).toBe(0);
    });
  });
}

function helpers(opened: OpenedShop) {
  const { stores, shop, clock } = opened;
  const { orgId } = shop;
  const orders = new Map<string, Order>();
  const ports = {
    ...opened,
    ...stores,
    orders: { read: ({ id }: { id: string }) => orders.get(id) ?? null },
  };
  const runs = async () =>
    (await opened.queuedJobs()).filter(
      ({ kind }) => kind === 'fulfil-delivery' || kind === 'settle-delivery',
    );
  const run = async (job: Job): Promise<void> => {
    if (job.kind === 'fulfil-delivery') await fulfilDelivery(ports, job);
    if (job.kind === 'settle-delivery') await settleDelivery(ports, job);
  };
  return {
    /** Decides an order of one line, and answers with its entry. */
    receive: async (orderId: string, sku: string): Promise<string> => {
      const order = makeOrder(shop, { orderId, lines: [makeLine(sku)] });
      const { id } = await recordOrder(opened, order);
      orders.set(id, order);
      await fulfilOrder(ports, order, { id, attempts: 0 });
      return id;
    },
    again: (id: string) => redeliver(ports, orgId, id),
    setStatus: (status: 'draft' | 'published') =>
      updateProduct({ clock, products: stores.products }, orgId, shop.product.id, { status }),
    release: () => releaseHeld({ clock, ...stores }, orgId, shop.product.id),
    lose: async (): Promise<readonly Job[]> => {
      const lost = await runs();
      await opened.dropJobs(lost);
      return lost;
    },
    /** Once they are overdue; how many reruns were put back. */
    rescue: async (): Promise<number> => {
      clock.advance(OVERDUE_AFTER_MS + 1);
      return (await rescueLostWork({ clock, upkeep: stores.upkeep })).reruns;
    },
    /** Does what is queued, and answers with its kinds. */
    work: async (): Promise<readonly Job['kind'][]> => {
      const jobs = await runs();
      for (const job of jobs) await run(job);
      await opened.dropJobs(jobs);
      return jobs.map(({ kind }) => kind);
    },
    statusOf: async (id: string) => (await stores.deliveries.find(orgId, id))?.status,
  };
}

import {
  ALERT_DELAY_MS,
  fulfilDelivery,
  MAX_UNREADABLE_MS,
  releaseEntries,
  releaseHeld,
  resolveDelivery,
  UNREADABLE_YET,
} from '@handover/domain';
import { prepare } from '../runner.ts';
import { makeOrder, publishProduct, recordOrder } from '../samples.ts';
import type { OpenedShop, StoresRunner } from './harness.ts';
import { claimNow, completeNow, listEmailJobs, makeLines, sellByOrder, setStatus } from './shop-actions.ts';

const REASON =
  'No order can be read out of the stored request any more. Have the shop send it again, or record the sale yourself.';

/** Entries whose stored request this process cannot read as their order. Another process may, but they must not wait for ever. */
export function unreadableEntriesContract(runner: StoresRunner): void {
  const { describe, it, expect } = prepare(runner, async (opened) => {
    return { ...opened, ...helpers(opened) };
  });

  describe('an entry whose request this process cannot read', () => {
    it('stays pending, says why, and is decided by a process that can read it', async (opened) => {
      const { shop, clock, work, show } = opened;
      const order = makeOrder(shop);
      const { id } = await recordOrder(opened, order);
      const before = await show(id);
      clock.advance(MAX_UNREADABLE_MS - 1);
      expect(await work()).toEqual(['unreadable-yet']);
      expect(await show(id)).toEqual({ ...before, status: 'pending', reason: UNREADABLE_YET });
      expect(await listEmailJobs(opened, 'alert')).toEqual([]);
      const ports = { ...opened, orders: { read: () => order } };
      const job = { orgId: shop.orgId, deliveryId: id, attempts: 0 };
      expect((await fulfilDelivery(ports, job)).kind).toBe('fulfilled');
      expect(await show(id)).toMatchObject({ reason: null, lines: [{ outcome: 'delivered' }] });
    });

    it('stays as it was while it was released and waits', async (opened) => {
      const { shop, work, show, receive, setStatus } = opened;
      await setStatus('draft');
      const id = await receive(['PADS']);
      const before = await show(id);
      await setStatus('published');
      await releaseHeld(opened, shop.orgId, shop.product.id);
      expect(await work()).toEqual(['unreadable-yet']);
      expect(await show(id)).toEqual(before);
    });

    it('says why it waits only while it was never decided, and only to its own organisation', async (opened) => {
      const { stores, shop, ids, show, receive } = opened;
      const { id } = await recordOrder(opened, makeOrder(shop));
      const decided = await receive(['PADS']);
      const before = [await show(id), await show(decided)];
      expect(before).toMatchObject([{ status: 'pending' }, { status: 'pending' }]);
      await stores.deliveries.explainPending(ids.next(), id, 'Not theirs.');
      await stores.deliveries.explainPending('no-id', id, 'Nobody’s.');
      await stores.deliveries.explainPending(shop.orgId, decided, 'It is late.');
      expect([await show(id), await show(decided)]).toEqual(before);
      await stores.deliveries.explainPending(shop.orgId, id, 'It waits.');
      await stores.deliveries.explainPending(shop.orgId, id, 'It waits.');
      expect(await show(id)).toEqual({ ...before[0], reason: 'It waits.' });
    });
  });

  describe('an entry whose request does not read as its order for a day', () => {
    it('is an error with its reason and remedy once its job has run, and people are told', async (opened) => {
      const { shop, clock, work, show, listRuns } = opened;
      const { id } = await recordOrder(opened, makeOrder(shop));
      clock.advance(MAX_UNREADABLE_MS);
      expect(await work()).toEqual(['given-up']);
      expect(await show(id)).toMatchObject({ status: 'error', reason: REASON, lines: [] });
      const [mail] = await listEmailJobs(opened, 'alert');
      clock.advance(ALERT_DELAY_MS);
      expect(await claimNow(opened, mail?.emailId ?? '')).toMatchObject({
        email: { alerts: [{ cause: 'not-delivered', deliveryId: id, orderNumber: '#1001', reason: REASON }] },
      });
      expect(await listRuns()).toEqual([]);
    });

    it('is an error, too, when it was held and is released: its product is not said to hold it', async (opened) => {
      const { stores, shop, clock, work, show, listRuns, receive, setStatus } = opened;
      await setStatus('draft');
      const id = await receive(['PADS']);
      clock.advance(MAX_UNREADABLE_MS);
      await setStatus('published');
      await releaseHeld(opened, shop.orgId, shop.product.id);
      expect(await work()).toEqual(['given-up']);
      expect(await show(id)).toMatchObject({ status: 'error', reason: REASON, lines: [] });
      expect(await stores.openDeliveries.countHeld(shop.orgId, shop.product.id)).toBe(0);
      expect(await listRuns()).toEqual([]);
    });

    it('keeps what was delivered of it, with a note, and its reruns end', async (opened) => {
      const { shop, clock, work, show, listRuns, receive, setStatus } = opened;
      await publishProduct(opened, shop.orgId, 'Keys');
      await setStatus('draft');
      const id = await receive(['PADS', 'KEYS']);
      const before = await show(id);
      clock.advance(MAX_UNREADABLE_MS);
      await setStatus('published');
      await releaseHeld(opened, shop.orgId, shop.product.id);
      expect(await work()).toEqual(['given-up']);
      expect(await show(id)).toEqual({ ...before, note: REASON });
      expect(await listRuns()).toEqual([]);
    });

    it('stays completed when its receipt is sent while it is given up', async (opened) => {
      const { clock, show, receive, complete } = opened;
      const id = await receive(['PADS', 'unknown']);
      expect(await show(id)).toMatchObject({ status: 'pending' });
      const [job] = await listEmailJobs(opened, 'receipt');
      clock.advance(MAX_UNREADABLE_MS);
      const completed = await complete(id, 1, () => completeNow(opened, job?.emailId ?? '', 'sent'));
      expect(completed).toEqual({ kind: 'changed-meanwhile' });
      expect(await show(id)).toMatchObject({ status: 'success', note: null });
    });

    it('is left alone by a job that is late: it was decided since', async (opened) => {
      const { stores, shop, clock, show, receive, complete } = opened;
      const id = await receive(['unknown']);
      const before = await show(id);
      expect(await complete(id, 0)).toEqual({ kind: 'nothing-to-do' });
      expect(await show(id)).toEqual(before);
      clock.advance(MAX_UNREADABLE_MS);
      expect((await complete(id, 1)).kind).toBe('given-up');
      expect(await show(id)).toMatchObject({ status: 'error', reason: REASON, lines: [{ sku: 'unknown' }] });
      expect(await stores.openDeliveries.countUnmatched(shop.orgId)).toBe(1);
    });
  });
}

function helpers(opened: OpenedShop) {
  const { stores, shop } = opened;
  const ports = { ...opened, orders: { read: () => null } };
  return {
    receive: async (skus: readonly string[]): Promise<string> => {
      return (await sellByOrder(opened, { lines: makeLines(...skus) })).deliveryId;
    },
    setStatus: (status: 'draft' | 'published') => setStatus(opened, status),
    /** `meanwhile`: runs between reading the entry and giving it up. */
    complete: (
      deliveryId: string,
      attempts: number,
      meanwhile: () => Promise<unknown> = async () => undefined,
    ) => {
      const show: typeof stores.deliveries.show = async (...asked) => {
        const shown = await stores.deliveries.show(...asked);
        await meanwhile();
        return shown;
      };
      const deliveries = { ...stores.deliveries, show };
      return resolveDelivery({ ...ports, deliveries }, { orgId: shop.orgId, deliveryId, attempts });
    },
    /** Runs the queued jobs of entries once, removes them from the queue, and returns the result of each. */
    work: async (): Promise<readonly string[]> => {
      for (const job of await opened.queuedJobs()) {
        if (job.kind !== 'release-entries') continue;
        while ((await releaseEntries(ports, job)) !== 'done');
        await opened.dropJobs([job]);
      }
      const jobs = (await opened.queuedJobs()).flatMap((job) =>
        job.kind === 'fulfil-delivery' ? [job] : [],
      );
      const kinds: string[] = [];
      for (const job of jobs) kinds.push((await fulfilDelivery(ports, job)).kind);
      await opened.dropJobs(jobs);
      return kinds;
    },
    /** The queued jobs that decide entries. */
    listRuns: async () => (await opened.queuedJobs()).filter(({ kind }) => /^(fulfil|resolve)-/.test(kind)),
    show: (id: string) => stores.deliveries.show(shop.orgId, id),
  };
}

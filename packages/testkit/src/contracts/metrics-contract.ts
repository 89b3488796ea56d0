import { readMetrics } from '@handover/domain';
import { claimIdOf } from '../complete-emails.ts';
import { openShop } from '../samples.ts';
import type { OpenedShop, StoresRunner } from './harness.ts';
import { claimNow, completeClaimed, completeNow, makeLines, sellByOrder, setStatus } from './shop-actions.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

/** The metrics of the overview. */
export function metricsContract({ describe, it, expect }: StoresRunner): void {
  describe('the metrics of a day', () => {
    it('count an order once, by the best that became of it', async (opened) => {
      const { receiptId } = await sellByOrder(opened, { orderId: '1', lines: makeLines('PADS') });
      await complete(opened, receiptId, 1400);
      await sellByOrder(opened, { orderId: '1', lines: makeLines('PADS') });
      await sellByOrder(opened, { orderId: '2', lines: makeLines('NOBODY') });
      await sellByOrder(opened, { orderId: '2', lines: makeLines('NOBODY') });
      await withDraft(opened, async () => {
        await sellByOrder(opened, { orderId: '3', lines: makeLines('PADS') });
      });
      const { today, days } = await readMetrics(opened, opened.shop.orgId);
      expect(today).toMatchObject({
        orders: 3,
        delivered: 1,
        held: 1,
        failed: 1,
        ordersAWeekAgo: 0,
        receiptMedianMs: 1400,
        receiptSlowestMs: 1400,
        downloadsCompleted: 0,
        downloadsRunning: 0,
      });
      expect(days).toHaveLength(30);
      expect(days.at(-1)).toEqual({
        day: opened.clock.now().toISOString().slice(0, 10),
        orders: 3,
        delivered: 1,
        held: 1,
        failed: 1,
        downloads: 0,
      });
    });

    it('round half a millisecond of the median up', async (opened) => {
      const { receiptId: first } = await sellByOrder(opened, { orderId: '1', lines: makeLines('PADS') });
      await complete(opened, first, 1400);
      const { receiptId: second } = await sellByOrder(opened, { orderId: '2', lines: makeLines('PADS') });
      await complete(opened, second, 1401);
      const { today } = await readMetrics(opened, opened.shop.orgId);
      expect(today).toMatchObject({ receiptMedianMs: 1401, receiptSlowestMs: 1401 });
    });

    it('include a receipt that was refused, and sent when its order came again a month later', async (opened) => {
      const { receiptId } = await sellByOrder(opened, { orderId: '1' });
      await completeNow(opened, receiptId, 'refused');
      opened.clock.advance(30 * DAY);
      await sellByOrder(opened, { orderId: '1' });
      await complete(opened, receiptId, 1400);
      const { today } = await readMetrics(opened, opened.shop.orgId);
      const ms = 30 * DAY + 1400;
      expect(today).toMatchObject({ receiptMedianMs: ms, receiptSlowestMs: ms });
    });

    it('are compared with the same weekday by the same time', async (opened) => {
      await sellByOrder(opened, { orderId: '1', lines: makeLines('PADS') });
      opened.clock.advance(2 * HOUR);
      await sellByOrder(opened, { orderId: '2', lines: makeLines('PADS') });
      opened.clock.advance(7 * DAY - HOUR);
      const { today, days } = await readMetrics(opened, opened.shop.orgId);
      expect(today).toMatchObject({ orders: 0, ordersAWeekAgo: 1, lastOrderAt: null, receiptMedianMs: null });
      expect(days.at(-8)).toMatchObject({ orders: 2 });
    });

    it('are of one organisation only', async (opened) => {
      await sellByOrder(opened, { orderId: '1', lines: makeLines('PADS') });
      const other = await openShop(opened, 'Other');
      for (const orgId of [other.orgId, 'x']) {
        const { today, days } = await readMetrics(opened, orgId);
        expect(today.orders).toBe(0);
        expect(days.filter(({ orders }) => orders > 0)).toEqual([]);
      }
    });
  });
}

async function complete(opened: OpenedShop, receiptId: string, afterMs: number): Promise<void> {
  const claimId = claimIdOf(await claimNow(opened, receiptId));
  opened.clock.advance(afterMs);
  await completeClaimed(opened, receiptId, claimId, 'sent');
}

async function withDraft(opened: OpenedShop, work: () => Promise<void>): Promise<void> {
  await setStatus(opened, 'draft');
  await work();
  await setStatus(opened, 'published');
}

import { fulfilOrder, readMetrics, updateProduct } from '@handover/domain';
import { claimEmail, claimIdOf } from '../complete-emails.ts';
import type { TestRunner } from '../runner.ts';
import { makeLine, makeOrder, openShop, recordOrder } from '../samples.ts';
import { type CreateStores, type OpenedShop, openFreshShop } from './harness.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

/** The metrics of the overview. */
export function metricsContract({ describe, it, expect }: TestRunner, createStores: CreateStores): void {
  describe('the metrics of a day', () => {
    it('count an order once, by the best that became of it', async () => {
      const opened = await openFreshShop(createStores);
      const { receiptId } = await deliver(opened, '1', 'PADS');
      await complete(opened, receiptId, 1400);
      await deliver(opened, '1', 'PADS');
      await deliver(opened, '2', 'NOBODY');
      await deliver(opened, '2', 'NOBODY');
      await withDraft(opened, async () => {
        await deliver(opened, '3', 'PADS');
      });
      const { today, days } = await readMetrics(
        { ...opened, metrics: opened.stores.metrics },
        opened.shop.orgId,
      );
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

    it('round half a millisecond of the median up', async () => {
      const opened = await openFreshShop(createStores);
      const { receiptId: first } = await deliver(opened, '1', 'PADS');
      await complete(opened, first, 1400);
      const { receiptId: second } = await deliver(opened, '2', 'PADS');
      await complete(opened, second, 1401);
      const { today } = await readMetrics({ ...opened, metrics: opened.stores.metrics }, opened.shop.orgId);
      expect(today).toMatchObject({ receiptMedianMs: 1401, receiptSlowestMs: 1401 });
    });

    it('are compared with the same weekday by the same time', async () => {
      const opened = await openFreshShop(createStores);
      await deliver(opened, '1', 'PADS');
      opened.clock.advance(2 * HOUR);
      await deliver(opened, '2', 'PADS');
      opened.clock.advance(7 * DAY - HOUR);
      const { today, days } = await readMetrics(
        { ...opened, metrics: opened.stores.metrics },
        opened.shop.orgId,
      );
      expect(today).toMatchObject({ orders: 0, ordersAWeekAgo: 1, lastOrderAt: null, receiptMedianMs: null });
      expect(days.at(-8)).toMatchObject({ orders: 2 });
    });

    it('are of one organisation only', async () => {
      const opened = await openFreshShop(createStores);
      await deliver(opened, '1', 'PADS');
      const other = await openShop(opened, 'Other');
      for (const orgId of [other.orgId, 'x']) {
        const { today, days } = await readMetrics({ ...opened, metrics: opened.stores.metrics }, orgId);
        expect(today.orders).toBe(0);
        expect(days.filter(({ orders }) => orders > 0)).toEqual([]);
      }
    });
  });
}

async function deliver(opened: OpenedShop, orderId: string, sku: string) {
  const order = makeOrder(opened.shop, { orderId, lines: [makeLine(sku)] });
  const { id } = await recordOrder(opened, order);
  const ports = { ...opened, fulfilment: opened.stores.fulfilment };
  const plan = await fulfilOrder(ports, order, { id, attempts: 0 });
  return { receiptId: plan.receipt?.id ?? '' };
}

async function complete(
  { stores, shop, clock }: OpenedShop,
  receiptId: string,
  afterMs: number,
): Promise<void> {
  const claimId = claimIdOf(await claimEmail(stores, shop.orgId, receiptId, clock.now()));
  clock.advance(afterMs);
  const sent = { kind: 'sent', at: clock.now(), answer: '250 OK' } as const;
  await stores.outgoingEmails.complete(shop.orgId, receiptId, claimId, sent);
}

async function withDraft(opened: OpenedShop, work: () => Promise<void>): Promise<void> {
  const { stores, shop, clock } = opened;
  const ports = { clock, products: stores.products };
  await updateProduct(ports, shop.orgId, shop.product.id, { status: 'draft' });
  await work();
  await updateProduct(ports, shop.orgId, shop.product.id, { status: 'published' });
}

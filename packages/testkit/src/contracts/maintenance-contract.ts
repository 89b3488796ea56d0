import { redeliver, removeOldBodies } from '@handover/domain';
import { makeLine, makeOrder, recordOrder } from '../samples.ts';
import type { OpenedShop, StoresRunner } from './harness.ts';
import { fulfil, setStatus } from './shop-actions.ts';

const DAY = 24 * 60 * 60 * 1000;
const WEEK = 7 * DAY;

/** Deleting old bodies and other rows. */
export function maintenanceContract({ describe, it, expect }: StoresRunner): void {
  describe('stored bodies that are kept by the week', () => {
    it('are kept for the given time, and deleted a week later', async (fresh) => {
      const opened = await openByTheWeek(fresh);
      const { stores, shop, clock } = opened;
      const kept: { readonly id: string; readonly receivedAt: Date }[] = [];
      for (let week = 0; week < 5; week += 1) {
        await maintain(opened, 14);
        const order = makeOrder(shop, { orderId: `${week}`, lines: [makeLine('unknown')] });
        const { delivery } = await fulfil(opened, order);
        kept.push({ id: delivery.id, receivedAt: clock.now() });
        clock.advance(WEEK);
      }
      await maintain(opened, 14);
      const states = await Promise.all(
        kept.map(async ({ id, receivedAt }) => {
          const hasBody = ((await stores.deliveries.find(shop.orgId, id))?.body ?? null) !== null;
          const age = clock.now().getTime() - receivedAt.getTime();
          return { hasBody, mayBeGone: age > 2 * WEEK, mustBeGone: age > 3 * WEEK };
        }),
      );
      expect(states.filter(({ hasBody, mustBeGone }) => hasBody && mustBeGone)).toEqual([]);
      expect(states.filter(({ hasBody, mayBeGone }) => !hasBody && !mayBeGone)).toEqual([]);
      expect(states.some(({ hasBody }) => !hasBody)).toBe(true);
    });

    it('are kept for pending and held entries, whose orders are delivered from them', async (fresh) => {
      const opened = await openByTheWeek(fresh);
      const { stores, shop, clock } = opened;
      await maintain(opened, 14);
      const pending = await recordOrder(opened, makeOrder(shop, { orderId: '1' }));
      await setStatus(opened, 'draft');
      const order = makeOrder(shop, { orderId: '2' });
      const held = await fulfil(opened, order);
      for (let week = 0; week < 6; week += 1) {
        clock.advance(WEEK);
        await maintain(opened, 14);
      }
      for (const id of [pending.id, held.delivery.id]) {
        expect((await stores.deliveries.find(shop.orgId, id))?.body?.bytes).toEqual(
          new Uint8Array([123, 125]),
        );
      }
      const again = { ...opened, ...stores, orders: { read: () => order } };
      expect((await redeliver(again, shop.orgId, held.delivery.id)).kind).toBe('redelivered');
    });
  });

  describe('stored bodies', () => {
    it('are removed once they are old, and then the entry stays but cannot be run', async (opened) => {
      const { stores, shop, clock } = opened;
      const order = makeOrder(shop, { lines: [makeLine('unknown')] });
      const { delivery } = await fulfil(opened, order);
      const orders = { read: () => order };
      const again = () => redeliver({ ...opened, ...stores, orders }, shop.orgId, delivery.id);
      clock.advance(180 * DAY);
      expect(await removeOldBodies(opened, 180)).toBe(0);
      expect((await again()).kind).toBe('redelivered');
      clock.advance(1);
      expect(await removeOldBodies(opened, 180)).toBe(1);
      expect(await removeOldBodies(opened, 180)).toBe(0);
      expect((await stores.deliveries.find(shop.orgId, delivery.id))?.body).toBe(null);
      expect(await again()).toEqual({ kind: 'body-removed' });
      expect(await stores.deliveries.show(shop.orgId, delivery.id)).toMatchObject({ status: 'error' });
      expect(await stores.openDeliveries.countUnmatched(shop.orgId)).toBe(1);
      expect(await stores.openDeliveries.countWithSku(shop.orgId, 'unknown', null)).toBe(0);
    });

    it('of what is pending or held stay, however old', async (opened) => {
      const { stores, shop, clock } = opened;
      const pending = await recordOrder(opened, makeOrder(shop, { orderId: '1' }));
      await setStatus(opened, 'draft');
      const held = await fulfil(opened, makeOrder(shop, { orderId: '2' }));
      clock.advance(400 * DAY);
      expect(await removeOldBodies(opened, 180)).toBe(0);
      for (const id of [pending.id, held.delivery.id]) {
        expect((await stores.deliveries.find(shop.orgId, id))?.body === null).toBe(false);
      }
    });
  });
}

/** A shop whose ids begin with the time, as real ones do. */
async function openByTheWeek(opened: OpenedShop): Promise<OpenedShop> {
  const { clock, ids } = opened;
  const next = () => {
    const hex = clock.now().getTime().toString(16).padStart(12, '0');
    return `${hex.slice(0, 8)}-${hex.slice(8)}${ids.next().slice(13)}`;
  };
  return { ...opened, ids: { next } };
}

/** The work of every minute: first the weeks, then single bodies. */
async function maintain(opened: OpenedShop, keepDays: number): Promise<void> {
  const now = opened.clock.now();
  await opened.maintenance.rotateBodies(now, new Date(now.getTime() - keepDays * DAY));
  await removeOldBodies(opened, keepDays);
}

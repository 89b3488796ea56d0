import type { Platform } from '../../orders/platform.ts';
import type { Rejection } from '../../ports.ts';
import { MOST_REJECTED, type RejectedDelivery } from '../../rejected/rejected-delivery.ts';
import type { TestRunner } from '../runner.ts';
import { openShop } from '../samples.ts';
import type { CreateStores, OpenedShop } from './harness.ts';
import { openFreshShop } from './harness.ts';

const LONG_AGO = new Date(0);

/** What was refused, counted and kept. */
export function rejectedContract({ describe, it, expect }: TestRunner, createStores: CreateStores): void {
  describe('a rejected request', () => {
    it('is kept byte-exact, and counted', async () => {
      const opened = await openFreshShop(createStores);
      const { stores, shop, clock } = opened;
      const kept = await reject(opened, {
        bytes: new Uint8Array([0, 0xff, 0x7b]),
        headers: { 'x-sign': 'ä' },
      });
      const [found, ...more] = await stores.rejected.list(shop.orgId, 'storefront-a', LONG_AGO);
      expect(more).toEqual([]);
      expect(found && { ...found, bytes: [...found.bytes] }).toEqual({ ...kept, bytes: [0, 0xff, 0x7b] });
      expect(await stores.rejected.summary(shop.orgId)).toEqual([
        {
          platform: 'storefront-a',
          count: 1,
          kept: 1,
          lastAt: clock.now(),
          lastReason: 'It fits no secret.',
        },
      ]);
    });

    it('may be counted without being kept, and several at once', async () => {
      const opened = await openFreshShop(createStores);
      const { stores, shop } = opened;
      await stores.rejected.record({ ...rejection(opened), count: 3 });
      await stores.rejected.record({ ...rejection(opened), reason: 'It has no signature.' });
      expect(await stores.rejected.summary(shop.orgId)).toMatchObject([
        { count: 4, kept: 0, lastReason: 'It has no signature.' },
      ]);
      expect(await stores.rejected.list(shop.orgId, 'storefront-a', LONG_AGO)).toEqual([]);
    });

    it('makes room for newer ones of its organisation and platform, and of no other', async () => {
      const opened = await openFreshShop(createStores);
      const { stores, shop } = opened;
      const other = { ...opened, shop: await openShop(opened, 'Other') };
      await reject(other, {});
      await reject(opened, { platform: 'cart-a' });
      const ids: string[] = [];
      for (let at = 0; at < MOST_REJECTED + 5; at += 1) ids.push((await reject(opened, {})).id);
      const kept = await stores.rejected.list(shop.orgId, 'storefront-a', LONG_AGO);
      expect(kept.map(({ id }) => id)).toEqual(ids.slice(-MOST_REJECTED));
      expect(await stores.rejected.summary(shop.orgId)).toMatchObject([
        { platform: 'cart-a', count: 1, kept: 1 },
        { platform: 'storefront-a', count: MOST_REJECTED + 5, kept: MOST_REJECTED },
      ]);
      expect(await stores.rejected.list(other.shop.orgId, 'storefront-a', LONG_AGO)).toHaveLength(1);
    });

    it('is counted exactly, however many come at once', async () => {
      const opened = await openFreshShop(createStores);
      await Promise.all(Array.from({ length: 20 }, () => reject(opened, {})));
      expect(await opened.stores.rejected.summary(opened.shop.orgId)).toMatchObject([
        { count: 20, kept: 20 },
      ]);
    });

    it('is forgotten when its time is up, and stays counted', async () => {
      const opened = await openFreshShop(createStores);
      const { stores, shop, clock } = opened;
      await reject(opened, {});
      clock.advance(1000);
      const since = clock.now();
      const later = await reject(opened, {});
      const listed = await stores.rejected.list(shop.orgId, 'storefront-a', since);
      expect(listed.map(({ id }) => id)).toEqual([later.id]);
      expect(await stores.rejected.sweep(since)).toBe(1);
      expect(await stores.rejected.sweep(since)).toBe(0);
      expect(await stores.rejected.summary(shop.orgId)).toMatchObject([{ count: 2, kept: 1 }]);
    });

    it('is unknown to an organisation that is none', async () => {
      const { stores, ids } = await openFreshShop(createStores);
      for (const orgId of [ids.next(), 'nonsense']) {
        expect(await stores.rejected.list(orgId, 'storefront-a', LONG_AGO)).toEqual([]);
        expect(await stores.rejected.summary(orgId)).toEqual([]);
      }
    });
  });
}

function rejection({ shop, clock }: OpenedShop): Rejection {
  const { orgId } = shop;
  const reason = 'It fits no secret.';
  return { orgId, platform: 'storefront-a', count: 1, at: clock.now(), reason, kept: null };
}

async function reject(
  opened: OpenedShop,
  changes: Partial<RejectedDelivery> & { readonly platform?: Platform },
): Promise<RejectedDelivery> {
  const { ids, clock, stores } = opened;
  const { count: _, at: _at, kept: _kept, ...common } = { ...rejection(opened), ...changes };
  const kept = {
    ...common,
    id: ids.next(),
    receivedAt: clock.now(),
    bytes: new Uint8Array([123, 125]),
    headers: {},
    secretFingerprint: null,
    ...changes,
  };
  await stores.rejected.record({ ...rejection(opened), platform: kept.platform, kept });
  return kept;
}

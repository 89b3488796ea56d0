import {
  chooseKept,
  MAX_REJECTED,
  MAX_REJECTED_BYTES,
  MAX_REJECTED_BYTES_PER_SOURCE,
  MAX_REJECTED_PER_SOURCE,
  type Platform,
  type RejectedDelivery,
  type RejectedSize,
  type Rejection,
  subjectOfRejected,
} from '@handover/domain';
import { openShop } from '../samples.ts';
import type { OpenedShop, StoresRunner } from './harness.ts';

const LONG_AGO = new Date(0);

/** Rejected requests, which are counted, and some of them kept. */
export function rejectedContract({ describe, it, expect }: StoresRunner): void {
  describe('a rejected request', () => {
    it('is kept byte-exact, and counted', async (opened) => {
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

    it('may be counted without being kept, and several at once', async (opened) => {
      const { stores, shop } = opened;
      await stores.rejected.record({ ...rejection(opened), count: 3 });
      await stores.rejected.record({ ...rejection(opened), reason: 'It has no signature.' });
      expect(await stores.rejected.summary(shop.orgId)).toMatchObject([
        { count: 4, kept: 0, lastReason: 'It has no signature.' },
      ]);
      expect(await stores.rejected.list(shop.orgId, 'storefront-a', LONG_AGO)).toEqual([]);
    });

    it('makes room for newer ones of its source, organisation and platform, and of no other', async (opened) => {
      const { stores, shop } = opened;
      const other = { ...opened, shop: await openShop(opened, 'Other') };
      await reject(other, {});
      await reject(opened, { platform: 'cart-a' });
      const genuine = await reject(opened, { source: 'elsewhere' });
      const ids: string[] = [];
      for (let at = 0; at < MAX_REJECTED_PER_SOURCE + 5; at += 1) ids.push((await reject(opened, {})).id);
      expect(await listIds(opened)).toEqual([genuine.id, ...ids.slice(-MAX_REJECTED_PER_SOURCE)]);
      expect(await stores.rejected.summary(shop.orgId)).toMatchObject([
        { platform: 'cart-a', count: 1, kept: 1 },
        { platform: 'storefront-a', count: MAX_REJECTED_PER_SOURCE + 6, kept: MAX_REJECTED_PER_SOURCE + 1 },
      ]);
      expect(await stores.rejected.list(other.shop.orgId, 'storefront-a', LONG_AGO)).toHaveLength(1);
    });

    it('is not pushed out by sources that send more, however many they are and whatever they send', async (opened) => {
      const large = new Uint8Array(256 * 1024);
      const genuine = [await reject(opened, { source: 'shop' }), await reject(opened, { source: 'shop' })];
      for (let at = 0; at < 2 * MAX_REJECTED; at += 1)
        await reject(opened, { source: `junk-${at % 5}`, ...(at % 5 === 0 ? { bytes: large } : {}) });
      const kept = await listIds(opened);
      expect(kept.slice(0, 2)).toEqual(genuine.map(({ id }) => id));
      expect(kept).toHaveLength(MAX_REJECTED);
    });

    it('leaves room for a few of its source when they are large, and always for the newest', async (opened) => {
      const bytes = new Uint8Array(MAX_REJECTED_BYTES_PER_SOURCE / 4);
      const ids: string[] = [];
      for (let at = 0; at < 6; at += 1) ids.push((await reject(opened, { bytes })).id);
      expect(await listIds(opened)).toEqual(ids.slice(-4));
    });

    it('that is genuine is pushed out by no forged ones, however many networks they come from', async (opened) => {
      const genuine = await reject(opened, { source: 'shared' }, true);
      for (let at = 0; at <= MAX_REJECTED; at += 1) await reject(opened, { source: `junk-${at}` });
      for (let at = 0; at <= MAX_REJECTED_PER_SOURCE; at += 1) await reject(opened, { source: 'shared' });
      const kept = await listIds(opened);
      expect(kept[0]).toBe(genuine.id);
      expect(kept).toHaveLength(MAX_REJECTED);
    });

    it('takes no more bytes than all sources may keep together', async (opened) => {
      const bytes = new Uint8Array(MAX_REJECTED_BYTES / 8);
      const small = await reject(opened, { source: 'shop' });
      for (let at = 0; at < 10; at += 1) await reject(opened, { source: `junk-${at}`, bytes });
      const kept = await opened.stores.rejected.list(opened.shop.orgId, 'storefront-a', LONG_AGO);
      expect(kept.some(({ id }) => id === small.id)).toBe(true);
      expect(kept).toHaveLength(8);
    });

    it('is kept or not as the rule chooses, whatever came before', async (opened) => {
      let held: readonly RejectedSize[] = [];
      for (let at = 0; at < 3 * MAX_REJECTED; at += 1) {
        // Instead of random numbers: these are in no order that the rule could depend on.
        const mixed = (at * 7919 + 104_729) % 4093;
        const source = `source-${mixed % (1 + (mixed % 23))}`;
        const size = mixed % 11 === 0 ? 200_000 + mixed : mixed % 97;
        const isGenuine = mixed % 13 === 0;
        const { id } = await reject(opened, { source, bytes: new Uint8Array(size) }, isGenuine);
        const all = [...held, { id, source, size, isGenuine }];
        const chosen = chooseKept(all);
        held = all.filter((row) => chosen.has(row.id));
      }
      expect(await listIds(opened)).toEqual(held.map(({ id }) => id).sort());
    });

    it('stays within a few of the limit, however many come at once, and loses none below it', async (opened) => {
      const genuine = await reject(opened, { source: 'shop' });
      const sent = Array.from({ length: 2 * MAX_REJECTED }, (_, at) => at);
      await Promise.all(sent.map((at) => reject(opened, { source: `junk-${at % 3}` })));
      await reject(opened, { source: 'junk-0' });
      const kept = await listIds(opened);
      expect(kept.includes(genuine.id)).toBe(true);
      expect(kept).toHaveLength(MAX_REJECTED);
    });

    it('is counted exactly, however many come at once', async (opened) => {
      await Promise.all(Array.from({ length: 20 }, () => reject(opened, {})));
      expect(await opened.stores.rejected.summary(opened.shop.orgId)).toMatchObject([
        { count: 20, kept: 20 },
      ]);
    });

    it('is forgotten when its time is up, and stays counted', async (opened) => {
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

    it('is listed apart once it is dismissed, no longer counted, and brought back', async (opened) => {
      const { stores, shop, clock } = opened;
      const { id, receivedAt } = await reject(opened, {});
      clock.advance(1000);
      const other = await reject(opened, {});
      const subject = subjectOfRejected(id);
      const seen = { seenAt: receivedAt, seenCount: 1, reason: 'A test.', by: 'a@b.test', at: clock.now() };
      await stores.dismissals.dismiss(shop.orgId, [{ subject, ...seen }]);
      const listDismissed = async (since: Date) =>
        (await stores.rejected.listDismissed(shop.orgId, 'storefront-a', since)).map((row) => row.id);
      expect([await listIds(opened), await listDismissed(LONG_AGO)]).toEqual([[other.id], [id]]);
      expect(await listDismissed(clock.now())).toEqual([]);
      expect(await stores.rejected.summary(shop.orgId)).toMatchObject([{ count: 2, kept: 1 }]);
      await stores.dismissals.bringBack(shop.orgId, [subject]);
      expect([await listIds(opened), await listDismissed(LONG_AGO)]).toEqual([[id, other.id], []]);
      expect(await stores.rejected.summary(shop.orgId)).toMatchObject([{ kept: 2 }]);
    });

    it('is forgotten with its dismissal, and no other dismissal is', async (opened) => {
      const { stores, shop, clock } = opened;
      const { id, receivedAt } = await reject(opened, {});
      clock.advance(1000);
      const later = await reject(opened, {});
      const seen = { seenCount: 1, reason: 'A test.', by: 'a@b.test', at: clock.now() };
      const subjects = [subjectOfRejected(id), subjectOfRejected(later.id), 'rejecting storefront-a'];
      const times = [receivedAt, later.receivedAt, receivedAt];
      const all = subjects.map((subject, at) => ({ subject, seenAt: times[at] ?? receivedAt, ...seen }));
      await stores.dismissals.dismiss(shop.orgId, all);
      await stores.rejected.sweep(later.receivedAt);
      const left = await stores.dismissals.list(shop.orgId, subjects);
      expect(left.map(({ subject }) => subject).sort()).toEqual(subjects.slice(1).sort());
    });

    it('is unknown to an organisation that is none', async ({ stores, ids }) => {
      for (const orgId of [ids.next(), 'nonsense']) {
        expect(await stores.rejected.list(orgId, 'storefront-a', LONG_AGO)).toEqual([]);
        expect(await stores.rejected.listDismissed(orgId, 'storefront-a', LONG_AGO)).toEqual([]);
        expect(await stores.rejected.summary(orgId)).toEqual([]);
      }
    });
  });
}

async function listIds({ stores, shop }: OpenedShop): Promise<readonly string[]> {
  const kept = await stores.rejected.list(shop.orgId, 'storefront-a', LONG_AGO);
  return kept.map(({ id }) => id);
}

function rejection({ shop, clock }: OpenedShop): Rejection {
  const { orgId } = shop;
  const reason = 'It fits no secret.';
  return { orgId, platform: 'storefront-a', count: 1, at: clock.now(), reason, kept: null };
}

async function reject(
  opened: OpenedShop,
  changes: Partial<RejectedDelivery> & { readonly platform?: Platform },
  isGenuine = false,
): Promise<RejectedDelivery> {
  const { ids, clock, shop, stores } = opened;
  const { count: _, at: _at, kept: _kept, ...common } = { ...rejection(opened), ...changes };
  const kept = {
    ...common,
    id: ids.next(),
    receivedAt: clock.now(),
    source: 'a network',
    bytes: new Uint8Array([123, 125]),
    headers: {},
    secretFingerprint: null,
    ...changes,
  };
  const { id: subjectId, platform, reason, receivedAt: at } = kept;
  const details = { deliveryId: null, platform, orderNumber: null, customerEmail: null, reason, at };
  const about = { about: `rejected ${platform}`, cause: 'rejected' } as const;
  const alert = isGenuine ? { orgId: shop.orgId, ...about, subjectId, details } : null;
  await stores.rejected.record({ ...rejection(opened), platform, kept, alert });
  return kept;
}

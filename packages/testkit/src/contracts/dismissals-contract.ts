import type { Dismissal } from '@handover/domain';
import { openShop } from '../samples.ts';
import type { StoresRunner } from './harness.ts';

/** Dismissals of action items. */
export function dismissalsContract({ describe, it, expect }: StoresRunner): void {
  describe('what was dismissed', () => {
    it('is listed with who, when and why, newest first, until it is brought back', async (opened) => {
      const { clock, shop } = opened;
      const { dismissals } = opened.stores;
      const dismissal = (subject: string) => {
        clock.advance(1000);
        const at = clock.now();
        return {
          subject,
          seenAt: at,
          seenCount: 3,
          reason: 'They were refunded.',
          by: 'jana@example.com',
          at,
        };
      };
      const refused = dismissal('refused');
      const failed = dismissal('failed');
      await dismissals.dismiss(shop.orgId, [refused, failed]);
      await dismissals.dismiss(shop.orgId, []);
      const both = ['refused', 'failed'];
      expect(await dismissals.list(shop.orgId, both)).toEqual([failed, refused]);
      expect(await dismissals.bringBack(shop.orgId, ['none', 'failed', 'failed'])).toEqual(['failed']);
      expect(await dismissals.bringBack(shop.orgId, ['failed'])).toEqual([]);
      expect(await dismissals.list(shop.orgId, both)).toEqual([refused]);
      await dismissals.dismiss(shop.orgId, [failed]);
      expect(await dismissals.bringBack(shop.orgId, both)).toEqual(both);
      expect(await dismissals.list(shop.orgId, both)).toEqual([]);
      expect(await dismissals.bringBack(shop.orgId, [])).toEqual([]);
    });

    it('is brought back by an Undo only if nobody dismissed it again', async ({ stores, shop, clock }) => {
      const dismiss = async (...subjects: readonly string[]) => {
        clock.advance(1000);
        const at = clock.now();
        const seen = { seenAt: at, seenCount: 1, reason: 'A.', by: 'a@b.test', at };
        await stores.dismissals.dismiss(
          shop.orgId,
          subjects.map((subject) => ({ subject, ...seen })),
        );
        return at;
      };
      const first = await dismiss('failed', 'refused');
      const second = await dismiss('failed');
      const undo = (at: Date) => stores.dismissals.bringBack(shop.orgId, ['failed', 'refused'], at);
      expect(await undo(first)).toEqual(['refused']);
      expect(await undo(first)).toEqual([]);
      expect(await undo(second)).toEqual(['failed']);
    });

    it('at the same moment in another order is dismissed by both', async ({ stores, shop, clock }) => {
      const at = clock.now();
      const subjects = Array.from({ length: 20 }, (_, number) => `held ${number}`);
      const all = subjects.map((subject) => ({
        ...{ subject, seenAt: at, seenCount: 1, reason: 'A.', by: 'a@b.test', at },
      }));
      const press = (given: typeof all) => stores.dismissals.dismiss(shop.orgId, given);
      await Promise.all([press(all), press([...all].reverse()), press(all), press([...all].reverse())]);
      expect(await stores.dismissals.list(shop.orgId, subjects)).toHaveLength(20);
    });

    it('is replaced by what was seen later', async ({ stores, shop, clock }) => {
      const first = {
        subject: 'failed',
        seenAt: clock.now(),
        seenCount: 1,
        reason: 'A.',
        by: 'a@b.test',
        at: clock.now(),
      };
      await stores.dismissals.dismiss(shop.orgId, [first]);
      const second = { ...first, seenCount: 2, reason: 'B.' };
      await stores.dismissals.dismiss(shop.orgId, [second]);
      expect(await stores.dismissals.list(shop.orgId, ['failed'])).toEqual([second]);
    });

    it('is not replaced by what was seen before it', async ({ stores, shop, clock }) => {
      const at = clock.now();
      const seen = (seenAt: Date, reason: string) => ({
        ...{ subject: 'failed', seenAt, seenCount: 1, reason, by: 'a@b.test', at },
      });
      const later = seen(at, 'A.');
      const dismiss = (dismissal: Dismissal) => stores.dismissals.dismiss(shop.orgId, [dismissal]);
      expect(await dismiss(later)).toEqual(['failed']);
      const before = new Date(at.getTime() - 1);
      expect(await dismiss(seen(before, 'B.'))).toEqual([]);
      expect(await dismiss({ ...later, seenCount: 0 })).toEqual([]);
      expect(await stores.dismissals.list(shop.orgId, ['failed'])).toEqual([later]);
      // The newest was delivered meanwhile, and others were restored: they are older, but more than was seen before.
      const more = { ...seen(before, 'C.'), seenCount: 2 };
      expect(await dismiss(more)).toEqual(['failed']);
      expect(await stores.dismissals.list(shop.orgId, ['failed'])).toEqual([more]);
      expect(await dismiss({ ...more, reason: 'D.' })).toEqual(['failed']);
    });

    it('is found by its subject, however many are newer', async ({ stores, shop, clock }) => {
      const add = async (subject: string) => {
        clock.advance(1000);
        const at = clock.now();
        const dismissal = { subject, seenAt: at, seenCount: 1, reason: 'A.', by: 'a@b.test', at };
        await stores.dismissals.dismiss(shop.orgId, [dismissal]);
        return dismissal;
      };
      const oldest = await add('failed');
      for (let number = 0; number < 201; number += 1) await add(`held ${number}`);
      expect(await stores.dismissals.list(shop.orgId, ['failed', 'refused'])).toEqual([oldest]);
      expect(await stores.dismissals.list(shop.orgId, [])).toEqual([]);
    });

    it('belongs to one organisation', async (opened) => {
      const { stores, shop, clock } = opened;
      const other = await openShop(opened, 'Other');
      const one = {
        subject: 'failed',
        seenAt: clock.now(),
        seenCount: 1,
        reason: 'A.',
        by: 'a@b.test',
        at: clock.now(),
      };
      await stores.dismissals.dismiss(shop.orgId, [one]);
      expect(await stores.dismissals.list(other.orgId, ['failed'])).toEqual([]);
      expect(await stores.dismissals.bringBack(other.orgId, ['failed'])).toEqual([]);
      for (const orgId of ['nonsense', '']) {
        expect(await stores.dismissals.list(orgId, ['failed'])).toEqual([]);
        expect(await stores.dismissals.bringBack(orgId, ['failed'])).toEqual([]);
      }
    });
  });
}

import {
  AUTHOR_LOST_ACCESS,
  type BulkQuery,
  beginBulk,
  cancelBulk,
  continueBulk,
  createUser,
  restorePurchase,
  revokePurchase,
  runNamedBulk,
} from '@handover/domain';
import { BY_JANA, openShop } from '../samples.ts';
import type { StoresRunner } from './harness.ts';
import { completeAll, openSales } from './play-bulk.ts';
import { countActivity, EVERY_PURCHASE } from './shop-actions.ts';

/** A bulk action is stored as one row. Its job goes through the purchases page by page. */
export function bulkActionsContract({ describe, it, expect }: StoresRunner): void {
  describe('a bulk action', () => {
    it('is stored once, with its job, for any query', async (fresh) => {
      const shop = await openSales(fresh, 1);
      const { opened, begin, read } = shop;
      const { orgId } = opened.shop;
      const period = { from: new Date(0), until: null };
      const query = { ...EVERY_PURCHASE, text: '“Ana”', source: 'storefront-a', period } as const;
      const asked = await begin('revoke', query);
      const again = { ...asked, action: 'restore' as const };
      await Promise.all([
        beginBulk(shop.opened, again, EVERY_PURCHASE),
        beginBulk(shop.opened, again, EVERY_PURCHASE),
      ]);
      expect(await read(asked.id)).toMatchObject({
        ...{ id: asked.id, orgId, action: 'revoke', query, total: 1, seen: 0, endedAt: null },
        ...{ counts: { done: 0, before: 0, revoked: 0 }, by: shop.by, askedAt: asked.askedAt },
      });
      const jobs = (await opened.queuedJobs()).filter(({ kind }) => kind === 'run-bulk-action');
      expect(jobs).toEqual([{ kind: 'run-bulk-action', orgId, bulkId: asked.id, startAfter: asked.askedAt }]);
      expect(await countActivity(opened, 'bulk-action-started')).toBe(1);
    });

    it('reaches each purchase once, page by page, and says what it did', async (fresh) => {
      const { opened, begin, read, next, listRevoked, ids } = await openSales(fresh, 5);
      await revokePurchase(opened, opened.shop.orgId, ids[2] ?? '', BY_JANA);
      const { id } = await begin('revoke');
      const seen: unknown[] = [];
      for (let page = 0; page < 4; page += 1) {
        const answer = await next(id);
        const run = await read(id);
        seen.push([answer === 'done', run?.seen, run?.counts.done, run?.endedAt !== null]);
      }
      expect(seen).toEqual([
        [false, 2, 2, false],
        [false, 4, 3, false],
        [true, 5, 4, true],
        [true, 5, 4, true],
      ]);
      expect((await read(id))?.counts).toEqual({ done: 4, before: 1, revoked: 0 });
      expect(await listRevoked()).toHaveLength(5);
      expect(await countActivity(opened, 'link-revoked')).toBe(5);
      expect(await countActivity(opened, 'bulk-action-ended')).toBe(1);
    });

    it('that revokes leaves alone what somebody restored since it was asked for', async (fresh) => {
      const { opened, begin, read, next, listRevoked, ids } = await openSales(fresh, 3);
      const { shop, clock } = opened;
      const [before = '', since = '', never = ''] = ids;
      for (const id of [before, since]) await revokePurchase(opened, shop.orgId, id, BY_JANA);
      await restorePurchase(opened, shop.orgId, before, BY_JANA);
      const { id } = await begin('revoke');
      clock.advance(1000);
      await restorePurchase(opened, shop.orgId, since, BY_JANA);
      while ((await next(id)) !== 'done');
      expect([...(await listRevoked())].sort()).toEqual([before, never].sort());
      expect((await read(id))?.counts).toEqual({ done: 2, before: 1, revoked: 0 });
    });

    it('repeats nothing and leaves out nothing after a crash at the end of a page', async (fresh) => {
      const { opened, begin, read, next, dies, listPending } = await openSales(fresh, 5);
      await completeAll(opened);
      const { id } = await begin('resend');
      await next(id);
      for (let crash = 0; crash < 2; crash += 1) {
        expect(await dies(id)).toBe('The process died here.');
        expect(await read(id)).toMatchObject({ seen: 2, counts: { done: 2 } });
      }
      while ((await next(id)) !== 'done');
      expect(await read(id)).toMatchObject({ seen: 5, counts: { done: 5, before: 0, revoked: 0 } });
      expect(await listPending()).toHaveLength(5);
      expect(await countActivity(opened, 'receipt-resent')).toBe(5);
    });

    it('that two workers continue at once reaches each purchase once', async (fresh) => {
      const { opened, begin, read, next } = await openSales(fresh, 5);
      const { id } = await begin('revoke');
      await Promise.all([next(id), next(id), next(id), next(id)]);
      expect(await read(id)).toMatchObject({ seen: 5, counts: { done: 5, before: 0 } });
      expect(await countActivity(opened, 'link-revoked')).toBe(5);
      expect(await countActivity(opened, 'bulk-action-ended')).toBe(1);
    });

    it('ends when it is cancelled, keeps its result, and does nothing more', async (fresh) => {
      const { opened, begin, read, next, listRevoked } = await openSales(fresh, 5);
      const { id, orgId } = await begin('revoke');
      await next(id);
      expect(await cancelBulk(opened, orgId, id, BY_JANA)).toBe(true);
      expect(await cancelBulk(opened, orgId, id, BY_JANA)).toBe(false);
      expect(await next(id)).toBe('done');
      expect(await read(id)).toMatchObject({ seen: 2, counts: { done: 2 }, cancelledBy: BY_JANA.actor });
      expect(await listRevoked()).toHaveLength(2);
      expect(await countActivity(opened, 'bulk-action-cancelled')).toBe(1);
      expect(await countActivity(opened, 'bulk-action-ended')).toBe(0);
    });

    for (const becomes of ['a member', 'nobody'] as const)
      it(`ends when its author becomes ${becomes}, and keeps its result`, async (fresh) => {
        const { opened, asking, read, next, listRevoked } = await openSales(fresh, 5);
        const { orgId, ownerId: by } = opened.shop;
        const actor = 'jo@example.com';
        const membership = { orgId, role: 'admin' } as const;
        const jo = await createUser(opened, { email: actor, name: null, membership });
        if (jo.kind !== 'created') throw new Error(jo.kind);
        const asked = { ...asking('revoke', 5), by: { ...BY_JANA, actor } };
        await beginBulk(opened, asked, EVERY_PURCHASE);
        await next(asked.id);
        if (becomes === 'a member')
          await opened.team.setRole(orgId, jo.user.id, { by, from: 'admin', to: 'member' });
        else
          await opened.team.remove(orgId, jo.user.id, {
            by,
            from: 'admin',
            key: opened.apiKeys.mint().stored,
          });
        for (let page = 0; page < 2; page += 1) expect(await next(asked.id)).toBe('done');
        const ended = { seen: 2, counts: { done: 2 }, cancelledBy: AUTHOR_LOST_ACCESS };
        expect(await read(asked.id)).toMatchObject(ended);
        expect(await listRevoked()).toHaveLength(2);
        expect(await countActivity(opened, 'bulk-action-cancelled')).toBe(1);
      });

    it('leaves alone what was sold, sent or revoked after it was asked for', async (fresh) => {
      const { opened, sell, begin, read, next, listRevoked, ids } = await openSales(fresh, 2);
      const [first = '', second = ''] = ids;
      await revokePurchase(opened, opened.shop.orgId, first, BY_JANA);
      const restoring = await begin('restore');
      opened.clock.advance(1000);
      await revokePurchase(opened, opened.shop.orgId, second, BY_JANA);
      while ((await next(restoring.id)) !== 'done');
      expect(await listRevoked()).toEqual([second]);
      expect((await read(restoring.id))?.counts).toEqual({ done: 1, before: 1, revoked: 0 });
      const resending = await begin('resend');
      opened.clock.advance(1000);
      await completeAll(opened);
      await sell();
      while ((await next(resending.id)) !== 'done');
      expect(await read(resending.id)).toMatchObject({ seen: 2, counts: { done: 0, before: 2, revoked: 0 } });
    });

    it('continues after a purchase that was deleted', async (fresh) => {
      const { opened, begin, read, next, ids } = await openSales(fresh, 4, true);
      const { id, orgId } = await begin('revoke');
      await next(id);
      const place = (await read(id))?.place.id ?? '';
      expect(ids.includes(place)).toBe(true);
      const deleted = {
        ...{ id: opened.ids.next(), at: opened.clock.now(), kind: 'test-order-deleted' as const },
        ...{ subjectId: place, summary: 'Deleted.', ...BY_JANA },
      };
      expect(await opened.purchases.deleteTest(orgId, place, deleted)).toBe('deleted');
      while ((await next(id)) !== 'done');
      expect((await read(id))?.counts).toEqual({ done: 4, before: 0, revoked: 0 });
    });

    it('of purchases that were named is done as one, and twice it is the same', async (fresh) => {
      const { opened, ids, asking, read, listRevoked } = await openSales(fresh, 3);
      const asked = asking('revoke', 2);
      const seen = ids.slice(0, 2).map((purchaseId) => ({ purchaseId, receipt: null }));
      await Promise.all([runNamedBulk(opened, asked, seen), runNamedBulk(opened, asked, seen)]);
      await runNamedBulk(opened, asked, seen);
      expect(await read(asked.id)).toMatchObject({
        ...{ query: null, seen: 2, counts: { done: 2, before: 0 }, endedAt: opened.clock.now() },
      });
      expect(await listRevoked()).toHaveLength(2);
      expect(await countActivity(opened, 'link-revoked')).toBe(2);
    });

    it('is unknown to another organisation, and under an id that is none', async (fresh) => {
      const { opened, begin, read, listRevoked } = await openSales(fresh, 2);
      const { id } = await begin('revoke');
      const other = await openShop(opened, 'Other');
      for (const [orgId, bulkId] of [
        [other.orgId, id],
        [opened.shop.orgId, 'nothing'],
        ['nobody', id],
      ] as const) {
        expect(await opened.stores.bulkActions.find(orgId, bulkId)).toBe(null);
        expect(await continueBulk(opened, { orgId, bulkId })).toBe('done');
        expect(await cancelBulk(opened, orgId, bulkId, BY_JANA)).toBe(false);
      }
      expect(await read(id)).toMatchObject({ endedAt: null, seen: 0 });
      expect(await listRevoked()).toEqual([]);
    });
  });

  describe('the count of matching purchases', () => {
    it('is of those that a search finds, up to a maximum', async (fresh) => {
      const { opened } = await openSales(fresh, 3);
      const { orgId } = opened.shop;
      const count = (query: BulkQuery, max: number) =>
        opened.stores.purchases.countMatching(orgId, query, max);
      expect(await count(EVERY_PURCHASE, 9)).toBe(3);
      expect(await count(EVERY_PURCHASE, 2)).toBe(2);
      expect(await count({ ...EVERY_PURCHASE, text: 'ana1' }, 9)).toBe(1);
      expect(await count({ ...EVERY_PURCHASE, text: 'pads' }, 9)).toBe(3);
      expect(await count({ ...EVERY_PURCHASE, productId: 'nothing' }, 9)).toBe(0);
      expect(await opened.stores.purchases.countMatching('nobody', EVERY_PURCHASE, 9)).toBe(0);
    });
  });
}

import { restorePurchases, revokePurchase, undoBulk } from '@handover/domain';
import { BY_JANA, openShop } from '../samples.ts';
import type { StoresRunner } from './harness.ts';
import { openSales } from './play-bulk.ts';
import { countActivity, EVERY_PURCHASE } from './shop-actions.ts';

/** Undo restores the purchases that a bulk action revoked, unless they were changed since. */
export function bulkUndoContract({ describe, it, expect }: StoresRunner): void {
  describe('a bulk action', () => {
    it('that revoked is undone page by page, but for what was changed since, whatever crashes', async (fresh) => {
      const { opened, begin, read, next, dies, listRevoked, ids } = await openSales(fresh, 6);
      const { orgId } = opened.shop;
      const [first = '', second = '', third = ''] = ids;
      await revokePurchase(opened, orgId, first, BY_JANA);
      const revoking = await begin('revoke');
      await next(revoking.id);
      expect(await undoBulk(opened, { ...revoking, id: opened.ids.next() }, revoking.id)).toBe(false);
      while ((await next(revoking.id)) !== 'done');
      const undoing = await begin('undo', { ...EVERY_PURCHASE, revocationId: revoking.id });
      await restorePurchases(opened, orgId, [second, third], BY_JANA);
      await revokePurchase(opened, orgId, third, BY_JANA);
      await next(undoing.id);
      expect(await dies(undoing.id)).toBe('The process died here.');
      while ((await next(undoing.id)) !== 'done');
      expect(await read(undoing.id)).toMatchObject({ seen: 3, counts: { done: 3, before: 0 } });
      expect([...(await listRevoked())].sort()).toEqual([first, third].sort());
      expect(await countActivity(opened, 'link-restored')).toBe(5);
    });

    it('that revoked is undone at once when it is small, and by two at once only once', async (fresh) => {
      const { opened, begin, read, next, listRevoked } = await openSales(fresh, 3);
      const revoking = await begin('revoke');
      while ((await next(revoking.id)) !== 'done');
      const other = await openShop(opened, 'Other');
      const asked = { ...revoking, id: opened.ids.next() };
      expect(await undoBulk(opened, { ...asked, orgId: other.orgId }, revoking.id)).toBe(false);
      expect(await undoBulk(opened, asked, asked.id)).toBe(false);
      const undo = (id: string) => undoBulk(opened, { ...asked, id }, revoking.id);
      const later = opened.ids.next();
      await Promise.all([undo(asked.id), undo(asked.id), undo(later)]);
      const runs = await Promise.all([asked.id, later].map(read));
      expect(runs.map((run) => [run?.total, run?.endedAt !== null])).toEqual([
        [3, true],
        [3, true],
      ]);
      expect(runs.map((run) => run?.counts.done ?? 0).reduce((sum, done) => sum + done, 0)).toBe(3);
      expect(await listRevoked()).toEqual([]);
      expect(await countActivity(opened, 'link-restored')).toBe(3);
      // An undo cannot be undone.
      expect(await undoBulk(opened, { ...asked, id: opened.ids.next() }, asked.id)).toBe(false);
    });
  });
}

import {
  rerunEntries,
  resendReceipts,
  restoreLink,
  restorePurchases,
  revokeLink,
  revokePurchase,
  revokePurchases,
  type SeenPurchase,
} from '@handover/domain';
import { BY_JANA, openShop, publishProduct } from '../samples.ts';
import type { OpenedShop, StoresRunner } from './harness.ts';
import { completeAll } from './play-bulk.ts';
import { countActivity, listEmailJobs, makeLines, searchPurchases, sellByOrder } from './shop-actions.ts';

/** Actions on many purchases at once. */
export function bulkContract({ describe, it, expect }: StoresRunner): void {
  describe('many purchases at once', () => {
    it('are revoked and restored, each with one entry, and again with none', async (opened) => {
      const ids = await sellThree(opened);
      const [first = '', second = ''] = ids;
      await revokePurchase(opened, opened.shop.orgId, first, BY_JANA);
      opened.clock.advance(1000);
      const asked = [...ids, first, 'nothing', opened.ids.next()];
      expect(await revoke(opened, asked)).toBe(2);
      expect(await revoke(opened, asked)).toBe(0);
      expect(await listRevoked(opened)).toHaveLength(3);
      expect(await countActivity(opened, 'link-revoked')).toBe(3);
      expect(await restore(opened, [first, second])).toBe(2);
      expect(await restore(opened, [first, second])).toBe(0);
      expect(await listRevoked(opened)).toEqual(ids.slice(2));
      expect(await countActivity(opened, 'link-restored')).toBe(2);
    });

    it('are revoked once by two who do it at the same moment', async (opened) => {
      const ids = await sellThree(opened);
      const done = await Promise.all([revoke(opened, ids), revoke(opened, [...ids].reverse())]);
      expect(done.sort()).toEqual([0, 3]);
      expect(await countActivity(opened, 'link-revoked')).toBe(3);
    });

    it('are restored by the Undo of an action, but for those that were changed since', async (opened) => {
      const { ids: newIds, stores, shop } = opened;
      const ids = await sellThree(opened);
      const [first = '', second = ''] = ids;
      const action = newIds.next();
      const undo = (orgId: string, undone: string) => restorePurchases(opened, orgId, ids, BY_JANA, undone);
      expect(await revokePurchases(opened, shop.orgId, ids, BY_JANA, action)).toBe(3);
      // Both happen at the same moment, so their times do not distinguish the revocations.
      expect(await restore(opened, [first])).toBe(1);
      expect(await revoke(opened, [first])).toBe(1);
      const { linkId } = (await stores.purchases.show(shop.orgId, second)) ?? {};
      await restoreLink(opened, shop.orgId, linkId ?? '', BY_JANA);
      await revokeLink(opened, shop.orgId, linkId ?? '', BY_JANA);
      const other = await openShop(opened, 'Other');
      expect(await undo(other.orgId, action)).toBe(0);
      expect([await undo(shop.orgId, 'nothing'), await undo(shop.orgId, newIds.next())]).toEqual([0, 0]);
      const undone = await Promise.all([undo(shop.orgId, action), undo(shop.orgId, action)]);
      expect(undone.sort()).toEqual([0, 1]);
      expect([...(await listRevoked(opened))].sort()).toEqual([first, second].sort());
      expect(await countActivity(opened, 'link-restored')).toBe(3);
    });

    it('get their receipts again, each once in the place of the one that was seen', async (opened) => {
      const ids = await sellThree(opened);
      await completeAll(opened, 'sent');
      opened.clock.advance(1000);
      const seen = await see(opened, ids);
      const results = await Promise.all([resend(opened, seen), resend(opened, seen)]);
      expect(results.map(({ queued }) => queued).sort()).toEqual([0, 3]);
      expect(await resend(opened, seen)).toEqual({ queued: 0, doneBefore: 3, revoked: 0 });
      expect(await countActivity(opened, 'receipt-resent')).toBe(3);
      expect(await listEmailJobs(opened, 'receipt')).toHaveLength(3);
      // A purchase that has changed since it was seen is skipped, and so are pending receipts.
      expect(await resend(opened, await see(opened, ids))).toEqual({ queued: 0, doneBefore: 3, revoked: 0 });
    });

    it('of one order get one mail', async (opened) => {
      await publishProduct(opened, opened.shop.orgId, 'Keys');
      const ids = await sell(opened, '9001', ['PADS', 'KEYS']);
      await completeAll(opened, 'refused');
      expect(ids).toHaveLength(2);
      expect(await resend(opened, await see(opened, ids))).toEqual({ queued: 1, doneBefore: 0, revoked: 0 });
      expect(await countActivity(opened, 'receipt-resent')).toBe(1);
      await completeAll(opened, 'sent');
      const [revoked, ...others] = ids.map((id) => [id]);
      await revoke(opened, revoked ?? []);
      const none = { queued: 0, doneBefore: 0, revoked: 0 };
      expect(await resend(opened, await see(opened, revoked ?? []))).toEqual({ ...none, revoked: 1 });
      expect(await resend(opened, await see(opened, others.flat()))).toEqual({ ...none, queued: 1 });
    });

    it('of orders that failed are processed again by their jobs, once', async (opened) => {
      const { orgId } = opened.shop;
      await sell(opened, '9001', ['KEYS']);
      await sell(opened, '9002', ['KEYS']);
      await sell(opened, '9003', ['PADS']);
      const log = await opened.stores.deliveries.search(orgId, { ...ANY, limit: 50 });
      const spellings = log.flatMap((entry) => [entry, { ...entry, id: entry.id.toUpperCase() }]);
      const seen = spellings.map(({ id, attempts }) => ({ deliveryId: id, attempts }));
      const rerun = (shop = orgId, what = seen) => rerunEntries(opened, shop, what, BY_JANA);
      const other = await openShop(opened, 'Other');
      expect(await rerun(other.orgId)).toBe(0);
      const old = seen.map((one) => ({ ...one, attempts: one.attempts - 1 }));
      expect(await rerun(orgId, [...old, { deliveryId: 'nothing', attempts: 0 }])).toBe(0);
      expect((await Promise.all([rerun(), rerun()])).sort()).toEqual([0, 2]);
      expect(await rerun()).toBe(0);
      const jobs = (await opened.queuedJobs()).flatMap((job) =>
        job.kind === 'fulfil-delivery' ? job.deliveryId : [],
      );
      const failed = log.filter(({ status }) => status === 'error').map(({ id }) => id);
      expect([...jobs].sort()).toEqual([...failed].sort());
      expect(await countActivity(opened, 'delivery-redelivered')).toBe(2);
    });

    it('of another organisation stay as they are', async (opened) => {
      const ids = await sellThree(opened);
      await completeAll(opened, 'sent');
      const seen = await see(opened, ids);
      const other = { ...opened, shop: await openShop(opened, 'Other') };
      expect(await revoke(other, ids)).toBe(0);
      expect(await restore(other, ids)).toBe(0);
      expect(await resend(other, seen)).toEqual({ queued: 0, doneBefore: 0, revoked: 0 });
      expect(await listRevoked(opened)).toEqual([]);
      const named = { ids: [...ids.slice(1), 'nothing'] };
      const found = await searchPurchases(opened, named);
      expect(found.map(({ id }) => id).sort()).toEqual(ids.slice(1).sort());
      expect(await searchPurchases(other, named)).toEqual([]);
    });
  });
}

const ANY = { text: '', status: null, connectionId: null, before: null };

async function sellThree(opened: OpenedShop): Promise<readonly string[]> {
  const sold = [];
  for (const orderId of ['9001', '9002', '9003']) sold.push(...(await sell(opened, orderId, ['PADS'])));
  return sold;
}

/** The ids of the purchases. */
async function sell(
  opened: OpenedShop,
  orderId: string,
  skus: readonly string[],
): Promise<readonly string[]> {
  opened.clock.advance(1000);
  const customer = { name: `Ana ${orderId}`, email: `ana${orderId}@example.com` };
  const names = { orderId, orderNumber: `#${orderId}`, customer };
  const { plan } = await sellByOrder(opened, { ...names, lines: makeLines(...skus) });
  return plan.purchases.map(({ id }) => id);
}

function revoke(opened: OpenedShop, ids: readonly string[]) {
  return revokePurchases(opened, opened.shop.orgId, ids, BY_JANA);
}

function restore(opened: OpenedShop, ids: readonly string[]) {
  return restorePurchases(opened, opened.shop.orgId, ids, BY_JANA);
}

function resend(opened: OpenedShop, seen: readonly SeenPurchase[]) {
  return resendReceipts(opened, opened.shop.orgId, seen, BY_JANA);
}

/** The purchases as a page shows them. */
async function see({ stores, shop }: OpenedShop, ids: readonly string[]): Promise<readonly SeenPurchase[]> {
  const mailings = await stores.mailings.findAll(shop.orgId, ids);
  return ids.map((purchaseId) => {
    const mailing = mailings.find(({ purchases }) => purchases.some(({ id }) => id === purchaseId));
    return { purchaseId, receipt: mailing?.receipt ?? null };
  });
}

async function listRevoked(opened: OpenedShop): Promise<readonly string[]> {
  const found = await searchPurchases(opened);
  return found.filter(({ revokedAt }) => revokedAt !== null).map(({ id }) => id);
}

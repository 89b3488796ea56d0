import { type BulkQuery, type BulkRequest, type BulkRun, beginBulk, continueBulk } from '@handover/domain';
import { byOwner } from '../samples.ts';
import type { OpenedShop } from './harness.ts';
import { completeNow, EVERY_PURCHASE, listEmailJobs, searchPurchases, sellByOrder } from './shop-actions.ts';

/** This many purchases, and bulk actions on them. */
export async function openSales(opened: OpenedShop, count: number, isTest = false) {
  const { stores, shop, clock } = opened;
  const by = await byOwner(stores, shop.orgId);
  let sold = 0;
  const sell = async (): Promise<readonly string[]> => {
    sold += 1;
    clock.advance(1000);
    const customer = { name: `Ana ${sold}`, email: `ana${sold}@example.com` };
    const { plan } = await sellByOrder(opened, { orderId: `${9000 + sold}`, customer }, { isTest });
    return plan.purchases.map((purchase) => purchase.id);
  };
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1) ids.push(...(await sell()));
  const asking = (action: BulkRun['action'], total: number): BulkRequest => {
    clock.advance(1000);
    return { id: opened.ids.next(), orgId: shop.orgId, action, askedAt: clock.now(), total, by };
  };
  return {
    ...{ opened, ids, sell, asking, by },
    begin: async (action: BulkRun['action'], query: BulkQuery = EVERY_PURCHASE) => {
      const asked = asking(action, count);
      await beginBulk(opened, asked, query);
      return asked;
    },
    read: (id: string) => stores.bulkActions.find(shop.orgId, id),
    next: (bulkId: string) => continueBulk(opened, { orgId: shop.orgId, bulkId }, 2),
    /** Simulates a worker that dies after a page, before its commit. */
    dies: (bulkId: string) => {
      const inTransaction: typeof stores.inTransaction = (work) =>
        stores.inTransaction(async (within) => {
          await work(within);
          throw new Error('The process died here.');
        });
      return continueBulk({ ...opened, inTransaction }, { orgId: shop.orgId, bulkId }, 2).catch(
        (error: Error) => error.message,
      );
    },
    listRevoked: async () =>
      (await searchPurchases(opened)).filter(({ revokedAt }) => revokedAt !== null).map(({ id }) => id),
    listPending: () => listEmailJobs(opened, 'receipt'),
  };
}

/** Completes every pending receipt. */
export async function completeAll(opened: OpenedShop, kind: 'sent' | 'refused' = 'sent'): Promise<void> {
  const jobs = await listEmailJobs(opened, 'receipt');
  for (const { emailId } of jobs) await completeNow(opened, emailId, kind);
  await opened.dropJobs(jobs);
}

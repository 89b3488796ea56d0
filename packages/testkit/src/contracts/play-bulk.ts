import {
  type AskedBulk,
  type BulkQuery,
  type BulkRun,
  beginBulk,
  continueBulk,
  fulfilOrder,
} from '@handover/domain';
import { claimEmail, claimIdOf } from '../complete-emails.ts';
import { byOwner, makeLine, makeOrder, recordOrder } from '../samples.ts';
import { type CreateStores, type OpenedShop, openFreshShop } from './harness.ts';

export const ALL: BulkQuery = { text: '', productId: null, customerId: null, source: null, receipt: null };

/** So many purchases, and what is done to them at once. */
export async function openSales(createStores: CreateStores, count: number, isTest = false) {
  const opened = await openFreshShop(createStores);
  const { stores, shop, clock } = opened;
  const ports = portsOf(opened);
  const by = await byOwner(stores, shop.orgId);
  let sold = 0;
  const sell = async (): Promise<readonly string[]> => {
    sold += 1;
    clock.advance(1000);
    const customer = { name: `Ana ${sold}`, email: `ana${sold}@example.com` };
    const order = makeOrder(shop, { orderId: `${9000 + sold}`, customer, lines: [makeLine('PADS')] });
    const { id } = await recordOrder(opened, order, { isTest });
    const plan = await fulfilOrder(ports, order, { id, attempts: 0 });
    return plan.purchases.map((purchase) => purchase.id);
  };
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1) ids.push(...(await sell()));
  const asking = (action: BulkRun['action'], total: number): AskedBulk => {
    clock.advance(1000);
    return { id: opened.ids.next(), orgId: shop.orgId, action, askedAt: clock.now(), total, by };
  };
  return {
    ...{ opened, ports, ids, sell, asking, by },
    begin: async (action: BulkRun['action'], query = ALL) => {
      const asked = asking(action, count);
      await beginBulk(ports, asked, query);
      return asked;
    },
    read: (id: string) => stores.bulkActions.find(shop.orgId, id),
    next: (bulkId: string) => continueBulk(ports, { orgId: shop.orgId, bulkId }, 2),
    /** A worker that dies when a page is done and not committed. */
    dies: (bulkId: string) => {
      const inTransaction: typeof stores.inTransaction = (work) =>
        stores.inTransaction(async (within) => {
          await work(within);
          throw new Error('The process died here.');
        });
      return continueBulk({ ...ports, inTransaction }, { orgId: shop.orgId, bulkId }, 2).catch(
        (error: Error) => error.message,
      );
    },
    listRevoked: async () =>
      (await stores.purchases.search(shop.orgId, { ...ALL, before: null, limit: 50 }))
        .filter(({ revokedAt }) => revokedAt !== null)
        .map(({ id }) => id),
    listPending: async () =>
      (await opened.queuedJobs()).flatMap((job) => (job.kind === 'send-email' ? job.emailId : [])),
  };
}

export function portsOf(opened: OpenedShop) {
  return { ...opened, ...opened.stores };
}

/** Sends every receipt that waits. */
export async function completeAll(opened: OpenedShop): Promise<void> {
  const { stores, shop, clock } = opened;
  const jobs = (await opened.queuedJobs()).flatMap((job) => (job.kind === 'send-email' ? [job] : []));
  for (const { emailId } of jobs) {
    const claim = await claimEmail({ ...opened, ...stores }, shop.orgId, emailId, clock.now());
    const outcome = { kind: 'sent', at: clock.now(), answer: 'ok' } as const;
    await stores.outgoingEmails.complete(shop.orgId, emailId, claimIdOf(claim), outcome);
  }
  await opened.dropJobs(jobs);
}

export async function countEntries({ stores, shop }: OpenedShop, kind: string): Promise<number> {
  const entries = await stores.activity.list(shop.orgId, { subjectId: null, before: null, limit: 100 });
  return entries.filter((entry) => entry.kind === kind).length;
}

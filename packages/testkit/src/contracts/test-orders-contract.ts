import { deleteTestPurchase, type Order, type Plan, readMetrics } from '@handover/domain';
import { claimIdOf, completeEmail } from '../complete-emails.ts';
import { BY_JANA, makeLine, openShop } from '../samples.ts';
import { collect, type OpenedShop, type StoresRunner } from './harness.ts';
import { beginDownload, claimNow, sell, sellByOrder, setStatus } from './shop-actions.ts';

const ALL = { text: '', productId: null, customerId: null, source: null, receipt: null } as const;
const PAGE = { before: null, limit: 10 } as const;

/** Orders that the installation sent itself: they are marked, and left out of all counts. */
export function testOrdersContract({ describe, it, expect }: StoresRunner): void {
  describe('a test order', () => {
    it('is marked in the log, and so is what it bought, whenever it was decided', async (opened) => {
      const { stores, shop } = opened;
      await send(opened, { orderId: '1', orderNumber: '#1' }, false);
      await send(opened, { orderId: '2', orderNumber: '#2' }, true);
      const log = await stores.deliveries.search(shop.orgId, {
        text: '',
        status: null,
        connectionId: null,
        ...PAGE,
      });
      expect(log.map(({ orderNumber, isTest }) => [orderNumber, isTest])).toEqual([
        ['#2', true],
        ['#1', false],
      ]);
      expect(await stores.deliveries.open(shop.orgId, log[0]?.id ?? '')).toMatchObject({ isTest: true });
      const found = await stores.purchases.search(shop.orgId, { ...ALL, ...PAGE });
      expect(found.map(({ orderNumber, isTest }) => [orderNumber, isTest]).sort()).toEqual([
        ['#1', false],
        ['#2', true],
      ]);
      const rows = await collect(stores.purchases.list(shop.orgId));
      expect(rows.map(({ isTest }) => isTest)).toEqual([true, false]);
      const test = found.find(({ isTest }) => isTest);
      expect(await stores.purchases.show(shop.orgId, test?.id ?? '')).toMatchObject({ isTest: true });
    });

    it('does not show that its shop can send: another entry in the log does', async (opened) => {
      const { stores, shop } = opened;
      const has = (orgId = shop.orgId, platform = 'storefront-a') =>
        stores.deliveries.hasReceived(orgId, platform);
      expect(await has()).toBe(false);
      await send(opened, { orderId: '2' }, true);
      expect(await has()).toBe(false);
      await send(opened, { orderId: '1', lines: [makeLine('nobody')] }, false);
      const other = await openShop(opened, 'Other');
      expect([await has(), await has(other.orgId)]).toEqual([true, false]);
      expect([await has(shop.orgId, 'storefront-b'), await has('nonsense')]).toEqual([false, false]);
    });

    it('can be left out of purchases', async (opened) => {
      await send(opened, { orderId: '1', orderNumber: '#1' }, false);
      await send(opened, { orderId: '2', orderNumber: '#2' }, true);
      for (const text of ['', 'pads']) {
        const query = { ...ALL, ...PAGE, text, leavesOutTests: true };
        const found = await opened.stores.purchases.search(opened.shop.orgId, query);
        expect(found.map(({ orderNumber }) => orderNumber)).toEqual(['#1']);
        expect(await opened.stores.purchases.sum(opened.shop.orgId, { ...ALL, text })).toMatchObject([
          { purchases: 1 },
        ]);
      }
    });

    it('are counted neither of their product nor of their buyer', async (opened) => {
      const { stores, shop } = opened;
      const { purchases } = await send(opened, { orderId: '1' }, false);
      await send(opened, { orderId: '2' }, true);
      expect(await stores.purchases.countOfProduct(shop.orgId, shop.product.id)).toBe(1);
      const record = await stores.purchases.show(shop.orgId, purchases[0]?.id ?? '');
      expect(record?.purchasesOfBuyer).toBe(1);
    });

    it('are marked where they are found', async (opened) => {
      const { stores, shop, clock } = opened;
      const { links } = await send(opened, { orderId: '2', orderNumber: '#1002' }, true);
      await send(opened, { orderId: '3', orderNumber: '#1003', customer: { email: null, name: null } }, true);
      const sold = await sell(opened, { newCustomer: { name: 'Jo', email: 'jo@example.com' } });
      for (const linkId of [links[0]?.id ?? '', sold.linkId]) await beginDownload(opened, linkId);
      const terms = { words: [], orderNumber: '100', address: null, addressStart: null, sku: null };
      const hits = await stores.search.find(shop.orgId, { terms, includesSales: true, limit: 5 });
      expect(hits.map(({ kind, isTest }) => [kind, isTest])).toEqual([
        ['entry', true],
        ['order', true],
      ]);
      const query = { text: '', state: null, now: clock.now(), before: null, limit: 5 };
      const sessions = await stores.sessions.search(shop.orgId, query);
      expect(sessions.map(({ isTest }) => isTest).sort()).toEqual([false, true]);
    });

    it('can be all that is asked for', async (opened) => {
      const { stores, shop } = opened;
      await send(opened, { orderId: '1', orderNumber: '#1' }, false);
      await send(opened, { orderId: '2', orderNumber: '#2' }, true);
      for (const text of ['', 'pads']) {
        const query = { ...ALL, text, onlyTests: true } as const;
        const found = await stores.purchases.search(shop.orgId, { ...query, ...PAGE });
        expect(found.map(({ orderNumber }) => orderNumber)).toEqual(['#2']);
        expect(await stores.purchases.countMatching(shop.orgId, query, 10)).toBe(1);
      }
    });

    it('counts neither as an order, nor do its receipt and its downloads', async (opened) => {
      const { stores, shop, clock } = opened;
      const before = await readCounts(opened);
      const plan = await send(opened, { orderId: '1' }, true);
      await completeEmail(stores, shop.orgId, plan.receipt?.id ?? '', clock.now(), {
        kind: 'sent',
        at: clock.now(),
        answer: '250 OK',
      });
      await download(opened, plan);
      expect(await readCounts(opened)).toEqual(before);
      await download(opened, await send(opened, { orderId: '2' }, false));
      expect(await readCounts(opened)).toMatchObject({
        today: { orders: 1, downloadsRunning: 1 },
        downloads: { total: { downloads: 1, buyers: 1 } },
      });
    });

    it('can be deleted, with all that it made, and nothing else can', async (opened) => {
      const { stores, shop, clock } = opened;
      const [real, test] = [
        await send(opened, { orderId: '1' }, false),
        await send(opened, { orderId: '2' }, true),
      ];
      await download(opened, test);
      const [realId = '', testId = ''] = [real, test].map(({ purchases }) => purchases[0]?.id);
      const other = await openShop(opened, 'Other');
      expect(await deleteTestPurchase(opened, shop.orgId, realId, BY_JANA)).toBe('not-a-test');
      expect(await deleteTestPurchase(opened, other.orgId, testId, BY_JANA)).toBe('unknown-purchase');
      expect(await deleteTestPurchase(opened, 'x', testId, BY_JANA)).toBe('unknown-purchase');
      expect(await stores.purchases.show(shop.orgId, testId)).toMatchObject({ isTest: true, sessions: [{}] });
      const claim = await claimNow(opened, test.receipt?.id ?? '');

      expect(await deleteTestPurchase(opened, shop.orgId, testId, BY_JANA)).toBe('deleted');
      expect(await deleteTestPurchase(opened, shop.orgId, testId, BY_JANA)).toBe('unknown-purchase');
      const sent = { kind: 'sent', at: clock.now(), answer: '250 OK' } as const;
      const { id: receiptId = '' } = test.receipt ?? {};
      await stores.outgoingEmails.complete(shop.orgId, receiptId, claimIdOf(claim), sent);
      const later = await claimNow(opened, receiptId);
      expect('claimId' in later).toBe(false);
      expect(await stores.purchases.show(shop.orgId, testId)).toBe(null);
      expect(await stores.purchases.show(shop.orgId, realId)).toMatchObject({ receiptStatus: 'pending' });
      expect(await stores.deliveries.open(shop.orgId, test.delivery.id)).toMatchObject({
        isTest: true,
        lines: [{ purchaseId: null }],
      });
    });

    it('does not say that the shop works', async (opened) => {
      const { stores, shop, clock } = opened;
      const factsOf = async () => (await stores.connections.listFacts(shop.orgId, clock.now()))[0];
      await send(opened, { orderId: '1' }, true);
      expect(await factsOf()).toMatchObject({ lastDelivery: null, arrivals: [] });
      clock.advance(1000);
      await send(opened, { orderId: '2' }, false);
      const at = clock.now();
      clock.advance(1000);
      await send(opened, { orderId: '3' }, true);
      expect(await factsOf()).toMatchObject({ lastDelivery: { orderId: '2', at }, arrivals: [at] });
    });

    it('needs no person, whatever its result', async (opened) => {
      const { stores, shop, clock } = opened;
      const before = await stores.actionItems.read(shop.orgId, clock.now());
      const plan = await send(opened, { orderId: '1' }, true);
      await completeEmail(stores, shop.orgId, plan.receipt?.id ?? '', clock.now(), {
        kind: 'refused',
        at: clock.now(),
        answer: '550 no such user',
        reason: 'Refused.',
      });
      await send(opened, { orderId: '2', lines: [makeLine('unknown')] }, true);
      await send(opened, { orderId: '3', customer: { email: null, name: null } }, true);
      await setStatus(opened, 'draft');
      await send(opened, { orderId: '4' }, true);
      expect(await stores.actionItems.read(shop.orgId, clock.now())).toEqual(before);
    });
  });
}

/** Sends an order, as the platform does or as a test of it. */
async function send(opened: OpenedShop, changes: Partial<Order>, isTest: boolean): Promise<Plan> {
  return (await sellByOrder(opened, changes, { isTest })).plan;
}

async function readCounts(opened: OpenedShop) {
  const { stores, shop, clock } = opened;
  const day = 24 * 60 * 60 * 1000;
  const period = {
    from: new Date(clock.now().getTime() - day),
    until: new Date(clock.now().getTime() + day),
  };
  return {
    ...(await readMetrics(opened, shop.orgId)),
    downloads: await stores.metrics.ofDownloads(shop.orgId, period),
  };
}

function download(opened: OpenedShop, plan: Plan): Promise<string> {
  return beginDownload(opened, plan.links[0]?.id ?? '');
}

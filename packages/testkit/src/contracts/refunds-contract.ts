import { ALL_PURCHASES, recordDeliveries, type TranslatedEntry } from '@handover/domain';
import { makeLine, makeOrder, makeReceived, openShop } from '../samples.ts';
import type { OpenedShop, StoresRunner } from './harness.ts';
import { fulfil, searchPurchases, sellByOrder } from './shop-actions.ts';

const MINUTE = 60 * 1000;
const REASON = 'The order was refunded.';

/** Refunds that shops report: the purchase shows them and keeps its links. */
export function refundsContract({ describe, it, expect }: StoresRunner): void {
  const refundsOf = async (opened: OpenedShop) =>
    (await searchPurchases(opened)).map(({ orderId, refundedAt }) => ({ orderId, refundedAt }));

  describe('a refund', () => {
    it('is shown on every purchase of its order from then on, and revokes none', async (opened) => {
      const { stores, shop, clock } = opened;
      const { purchaseId } = await sellByOrder(opened, { orderId: '1' });
      await sellByOrder(opened, { orderId: '2' });
      clock.advance(MINUTE);
      const refundedAt = clock.now();
      await say(opened, { kind: 'ignored', orderId: '1', reason: REASON, isRefunded: true });
      clock.advance(MINUTE);
      expect(await refundsOf(opened)).toEqual([
        { orderId: '2', refundedAt: null },
        { orderId: '1', refundedAt },
      ]);
      expect(await stores.purchases.show(shop.orgId, purchaseId)).toMatchObject({
        refundedAt,
        revokedAt: null,
        laterEvents: [{ receivedAt: refundedAt, reason: REASON }],
      });
    });

    it('is found among all purchases, counted and added up', async (opened) => {
      const { purchases } = opened.stores;
      for (const orderId of ['1', '2', '3']) await sellByOrder(opened, { orderId });
      await say(opened, { kind: 'ignored', orderId: '2', reason: REASON, isRefunded: true });
      const refunded = { ...ALL_PURCHASES, isRefunded: true as const };
      expect((await searchPurchases(opened, refunded)).map(({ orderId }) => orderId)).toEqual(['2']);
      expect(await purchases.countMatching(opened.shop.orgId, refunded, 9)).toBe(1);
      expect(await purchases.sum(opened.shop.orgId, refunded)).toMatchObject([{ purchases: 1 }]);
    });

    it('is found by the time at which it was said first, whenever its order was bought', async (opened) => {
      const { clock, shop, stores } = opened;
      const bought = clock.now();
      await sellByOrder(opened, { orderId: '1', orderNumber: 'pi_1' });
      await sellByOrder(opened, { orderId: '2' });
      clock.advance(MINUTE);
      const said = clock.now();
      const refund = { kind: 'ignored', reason: REASON, isRefunded: true } as const;
      await say(opened, { ...refund, orderId: null, orderNumber: 'pi_1' });
      clock.advance(MINUTE);
      const later = clock.now();
      await say(opened, { ...refund, orderId: '1' }, { ...refund, orderId: '2' });
      const find = async (from: Date | null, until: Date | null) => {
        const query = { isRefunded: true, refundedIn: { from, until } } as const;
        const sums = await stores.purchases.sum(shop.orgId, { ...ALL_PURCHASES, ...query });
        const found = await searchPurchases(opened, query);
        expect(sums).toMatchObject(found.length === 0 ? [] : [{ purchases: found.length }]);
        return found.map(({ orderId }) => orderId);
      };
      expect(await find(bought, said)).toEqual([]);
      expect(await find(said, later)).toEqual(['1']);
      expect(await find(later, null)).toEqual(['2']);
      expect(await find(null, later)).toEqual(['1']);
      expect(await find(null, null)).toEqual(['2', '1']);
    });

    it('that names its order by the number alone is found by it, exactly', async (opened) => {
      const { stores, shop, clock } = opened;
      const { purchaseId } = await sellByOrder(opened, { orderId: 'cs_1', orderNumber: 'pi_1' });
      await sellByOrder(opened, { orderId: 'pi_1', orderNumber: 'PI_1' });
      clock.advance(MINUTE);
      const refundedAt = clock.now();
      const orderNumber = 'pi_1';
      await say(opened, { kind: 'ignored', orderId: null, orderNumber, reason: REASON, isRefunded: true });
      expect(await refundsOf(opened)).toEqual([
        { orderId: 'pi_1', refundedAt: null },
        { orderId: 'cs_1', refundedAt },
      ]);
      expect((await searchPurchases(opened, { isRefunded: true })).map(({ id }) => id)).toEqual([purchaseId]);
      const record = await stores.purchases.show(shop.orgId, purchaseId);
      expect(record?.laterEvents).toMatchObject([{ receivedAt: refundedAt, reason: REASON }]);
    });

    it('that names its order by the number alone is found where the id is that number, too', async (opened) => {
      for (const [orderId, orderNumber] of [
        ['1', '1'],
        ['2', '#2'],
        ['A3', 'a3'],
        ['4', '#5'],
      ] as const)
        await sellByOrder(opened, { orderId, orderNumber });
      for (const orderNumber of ['1', '#2', 'a3', '4', '5'])
        await say(opened, { kind: 'ignored', orderId: null, orderNumber, reason: REASON, isRefunded: true });
      const refunded = await searchPurchases(opened, { isRefunded: true });
      expect(refunded.map(({ orderId }) => orderId)).toEqual(['A3', '2', '1']);
    });

    it('has the earlier time, if one names the order by its id and another by its number', async (opened) => {
      const { stores, shop, clock } = opened;
      const { purchaseId } = await sellByOrder(opened, { orderId: 'cs_1', orderNumber: 'pi_1' });
      const refund = { kind: 'ignored', isRefunded: true } as const;
      clock.advance(MINUTE);
      await say(opened, { ...refund, orderId: 'cs_1', reason: 'By its id.' });
      clock.advance(MINUTE);
      await say(opened, { ...refund, orderId: null, orderNumber: 'pi_1', reason: 'By its number.' });
      const record = await stores.purchases.show(shop.orgId, purchaseId);
      expect(record?.laterEvents).toMatchObject([{ reason: 'By its id.' }, { reason: 'By its number.' }]);
    });

    it('is not one of an order whose number is the id of the refunded one', async (opened) => {
      await sellByOrder(opened, { orderId: '7', orderNumber: '1001' });
      await say(opened, { kind: 'ignored', orderId: '1001', reason: REASON, isRefunded: true });
      expect(await refundsOf(opened)).toEqual([{ orderId: '7', refundedAt: null }]);
      expect(await searchPurchases(opened, { isRefunded: true })).toEqual([]);
    });

    it('in part comes with the order itself, and keeps the time at which it was said first', async (opened) => {
      const { clock, shop } = opened;
      const order = makeOrder(shop, { orderId: '1', isRefunded: true });
      const first = clock.now();
      await fulfil(opened, order);
      await say(opened, { kind: 'order', order });
      clock.advance(MINUTE);
      await say(opened, { kind: 'order', order });
      await say(opened, { kind: 'ignored', orderId: '1', reason: REASON, isRefunded: true });
      expect(await refundsOf(opened)).toEqual([{ orderId: '1', refundedAt: first }]);
    });

    it('that came before its order was delivered is known when it is', async (opened) => {
      const { clock } = opened;
      const refundedAt = clock.now();
      await say(opened, { kind: 'ignored', orderId: '1', reason: REASON, isRefunded: true });
      clock.advance(MINUTE);
      await sellByOrder(opened, { orderId: '1' });
      expect(await refundsOf(opened)).toEqual([{ orderId: '1', refundedAt }]);
    });

    it('is known of each entry of its order in the log, before it is delivered as well', async (opened) => {
      const { clock, shop, stores } = opened;
      const other = await openShop(opened, 'Other');
      const lines = [makeLine('nothing-known')];
      await say(opened, {
        kind: 'order',
        order: makeOrder(shop, { orderId: '1', orderNumber: 'pi_1', lines }),
      });
      await say(opened, { kind: 'order', order: makeOrder(shop, { orderId: '2', lines }) });
      const entries = await stores.deliveries.list(shop.orgId, {
        status: null,
        platform: null,
        before: null,
        limit: 9,
      });
      const known = async (orgId = shop.orgId) =>
        (await Promise.all(entries.map(({ id }) => stores.deliveries.open(orgId, id)))).map(
          (entry) => entry && [entry.orderId, entry.refundedAt],
        );
      expect(await known()).toEqual([
        ['2', null],
        ['1', null],
      ]);
      clock.advance(MINUTE);
      const refundedAt = clock.now();
      await say(opened, {
        kind: 'ignored',
        orderId: null,
        orderNumber: 'pi_1',
        reason: REASON,
        isRefunded: true,
      });
      expect(await known()).toEqual([
        ['2', null],
        ['1', refundedAt],
      ]);
      expect(await known(other.orgId)).toEqual([null, null]);
    });

    it('keeps the earliest time, whatever is recorded first: a rejected request is delivered later', async (opened) => {
      const { stores, clock, shop } = opened;
      const { purchaseId } = await sellByOrder(opened, { orderId: 'cs_1', orderNumber: 'pi_1' });
      const refund = { kind: 'ignored', orderId: null, orderNumber: 'pi_1', isRefunded: true } as const;
      clock.advance(MINUTE);
      const refundedAt = clock.now();
      clock.advance(MINUTE);
      await say(opened, { ...refund, reason: 'The second refund.' });
      const content = { kind: 'translated', entries: [{ ...refund, reason: REASON }] } as const;
      await recordDeliveries(opened, makeReceived(shop, refundedAt, content), 'in-background');
      expect(await refundsOf(opened)).toEqual([{ orderId: 'cs_1', refundedAt }]);
      const record = await stores.purchases.show(shop.orgId, purchaseId);
      expect(record?.laterEvents).toMatchObject([{ receivedAt: refundedAt, reason: REASON }]);
    });

    it('is of its own shop: orders of others have the same ids', async (opened) => {
      await sellByOrder(opened, { orderId: '1', orderNumber: '#1' });
      const elsewhere = { ...opened, shop: await openShop(opened, 'Other') };
      const refund = { kind: 'ignored', reason: REASON, isRefunded: true } as const;
      await say(elsewhere, { ...refund, orderId: '1' });
      await say(elsewhere, { ...refund, orderId: null, orderNumber: '#1' });
      expect(await refundsOf(opened)).toEqual([{ orderId: '1', refundedAt: null }]);
      expect(await searchPurchases(elsewhere, { isRefunded: true })).toEqual([]);
    });

    it('is said once by a request that repeats it, and by two at once', async (opened) => {
      await sellByOrder(opened, { orderId: '1' });
      const refund = { kind: 'ignored', orderId: '1', reason: REASON, isRefunded: true } as const;
      const refundedAt = opened.clock.now();
      await Promise.all([say(opened, refund, refund), say(opened, refund)]);
      expect(await refundsOf(opened)).toEqual([{ orderId: '1', refundedAt }]);
    });
  });
}

async function say(opened: OpenedShop, ...entries: readonly TranslatedEntry[]): Promise<void> {
  const received = makeReceived(opened.shop, opened.clock.now(), { kind: 'translated', entries });
  await recordDeliveries(opened, received, 'in-background');
}

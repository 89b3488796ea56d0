import { decideFulfilment, deleteTestPurchase, type Order, type Plan, resendReceipt } from '@handover/domain';
import { completeEmail } from '../complete-emails.ts';
import { BY_JANA, makeLine, makeOrder, publishProduct, recordOrder } from '../samples.ts';
import { collect, type OpenedShop, type StoresRunner } from './harness.ts';
import { completeNow, fulfil, fulfilAgain } from './shop-actions.ts';

/** Committing a plan: which facts are checked again, what is written, and which entries are resolved. */
export function plansContract({ describe, it, expect }: StoresRunner): void {
  describe('the commit of a plan', () => {
    it('is refused whole when one of two purchases was made meanwhile', async (opened) => {
      const { stores, shop } = opened;
      await publishProduct(opened, shop.orgId, 'Keys');
      // The customer exists already, so that only the purchase conflicts.
      await fulfil(opened, makeOrder(shop, { orderId: 'before' }));
      const late = await plan(opened, makeOrder(shop, { lines: [makeLine('PADS'), makeLine('KEYS')] }));
      expect(late.plan.purchases).toHaveLength(2);
      await fulfil(opened, makeOrder(shop));
      expect(await stores.fulfilment.commit(late.plan)).toBe('changed-meanwhile');
      // Also for a plan that expects no purchases: each purchase exists only once.
      const expectedVersions = { ...late.plan.expectedVersions, bought: null };
      expect(await stores.fulfilment.commit({ ...late.plan, expectedVersions })).toBe('changed-meanwhile');
      const products = (await collect(stores.purchases.list(shop.orgId))).map(
        ({ productSlug }) => productSlug,
      );
      expect(products).toEqual(['pads', 'pads']);
      expect((await stores.deliveries.find(shop.orgId, late.id))?.attempts).toBe(0);
    });

    it('is refused when a receipt that it rests on was sent meanwhile', async (opened) => {
      const { stores, shop } = opened;
      const receiptId = (await fulfil(opened, makeOrder(shop))).receipt?.id ?? '';
      const late = await plan(opened, makeOrder(shop));
      expect(late.plan.delivery.status).toBe('pending');
      await completeNow(opened, receiptId, 'sent');
      expect(await stores.fulfilment.commit(late.plan)).toBe('changed-meanwhile');
      // The next plan sees that no receipt is pending.
      const again = await fulfilAgain(opened, makeOrder(shop), late.id);
      expect(again.delivery.status).toBe('success');
    });

    it('is refused when another receipt took the place of the one that it rests on', async (opened) => {
      const { stores, shop, clock } = opened;
      const { receipt, purchases } = await fulfil(opened, makeOrder(shop));
      const sent = { kind: 'sent', at: clock.now(), answer: '250' } as const;
      await completeEmail(stores, shop.orgId, receipt?.id ?? '', clock.now(), sent);
      const late = await plan(opened, makeOrder(shop));
      expect(late.plan.delivery.status).toBe('success');
      const resent = await resendReceipt(opened, shop.orgId, purchases[0]?.id ?? '', {
        by: BY_JANA,
        seen: { id: receipt?.id ?? '', status: 'sent' },
      });
      expect(resent.kind).toBe('queued');
      expect(await stores.fulfilment.commit(late.plan)).toBe('changed-meanwhile');
      expect((await fulfilAgain(opened, makeOrder(shop), late.id)).delivery.status).toBe('pending');
    });

    it('is refused when a purchase that it names was deleted meanwhile, though another one shares its receipt', async (opened) => {
      const { stores, shop } = opened;
      await publishProduct(opened, shop.orgId, 'Keys');
      const order = makeOrder(shop, { lines: [makeLine('PADS'), makeLine('KEYS')] });
      const [first] = (await fulfil(opened, order, { isTest: true })).purchases;
      const late = await plan(opened, order);
      expect(await deleteTestPurchase(opened, shop.orgId, first?.id ?? '', BY_JANA)).toBe('deleted');
      expect(await stores.fulfilment.commit(late.plan)).toBe('changed-meanwhile');
      const again = await fulfilAgain(opened, order, late.id);
      expect(again.purchases).toMatchObject([{ productId: first?.productId }]);
    });

    it('writes what it delivers into the activity log, and nothing when it delivers nothing', async (opened) => {
      const { stores, shop, clock } = opened;
      const { receipt } = await fulfil(opened, makeOrder(shop));
      await fulfil(opened, makeOrder(shop));
      await fulfil(opened, makeOrder(shop, { orderId: 'other', lines: [makeLine('unknown')] }));
      const entries = await stores.activity.list(shop.orgId, { subjectId: null, before: null, limit: 50 });
      expect(entries.filter(({ kind }) => kind === 'order-delivered')).toMatchObject([
        { at: clock.now(), subjectId: receipt?.id, summary: 'Shopify order #1001: 1 product delivered.' },
      ]);
    });

    it('resolves open entries of its order, and none of another connection or organisation', async (opened) => {
      const { stores, shop, clock, ids } = opened;
      const connectionId = ids.next();
      await stores.connections.replaceSecret({
        orgId: shop.orgId,
        platform: 'storefront-a',
        name: 'second shop',
        connectionId,
        secretId: ids.next(),
        secret: 'second-secret',
        now: clock.now(),
        formerUntil: clock.now(),
      });
      const lines = [makeLine('unknown')];
      const own = await recordOrder(opened, makeOrder(shop, { lines }));
      const others = await recordOrder(opened, makeOrder(shop, { lines, connectionId }));
      await fulfilAgain(opened, makeOrder(shop, { lines }), own.id);
      await fulfilAgain(opened, makeOrder(shop, { lines, connectionId }), others.id);
      await fulfil(opened, makeOrder(shop));
      const completed = (await opened.queuedJobs()).flatMap((job) =>
        job.kind === 'resolve-delivery' ? [job.deliveryId] : [],
      );
      expect(completed).toEqual([own.id]);
    });
  });
}

/** Records an order and decides it, without committing the plan. */
async function plan(opened: OpenedShop, order: Order): Promise<{ readonly id: string; readonly plan: Plan }> {
  const { stores, clock, ids } = opened;
  const { id } = await recordOrder(opened, order);
  const known = await stores.fulfilment.loadSnapshot(order);
  return { id, plan: decideFulfilment(order, known, { id, attempts: 0 }, clock.now(), ids) };
}

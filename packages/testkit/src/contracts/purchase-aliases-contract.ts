import { type DeliveryLine, mapSku, type Order, unmapSku } from '@handover/domain';
import { prepare } from '../runner.ts';
import { makeLine, makeOrder, publishProduct } from '../samples.ts';
import type { OpenedShop, StoresRunner } from './harness.ts';
import { completeNow, fulfil, fulfilAgain } from './shop-actions.ts';

/** Purchases stay with their order, even if its SKU is mapped to another product later. */
export function purchaseAliasesContract(runner: StoresRunner): void {
  const { describe, it, expect } = prepare(runner, async (opened) => {
    return { ...opened, ...helpers(opened) };
  });

  describe('a purchase', () => {
    it('stays with the entry that made it when its SKU is unmapped and the entry is delivered again', async (opened) => {
      const { shop, map, unmap, receive, again, linesOf, statusOf, complete } = opened;
      await map('PAD-1', shop.product.id);
      const { id, plan } = await receive('PAD-1');
      await unmap('PAD-1');
      await again(id, 'PAD-1');
      const line = { sku: 'PAD-1', outcome: 'already-delivered', productId: shop.product.id };
      expect(await linesOf(id)).toMatchObject([{ ...line, purchaseId: plan.purchases[0]?.id }]);
      expect(await statusOf(id)).toBe('pending');
      await complete(plan.receipt?.id, 'sent');
      expect(await statusOf(id)).toBe('success');
    });

    it('is found by a new entry of its order, though its SKU is unmapped or not ours by then', async (opened) => {
      const { shop, map, unmap, receive, linesOf } = opened;
      await map('PAD-1', shop.product.id);
      const { plan } = await receive('PAD-1');
      const bought = [{ outcome: 'already-delivered', purchaseId: plan.purchases[0]?.id }];
      await unmap('PAD-1');
      expect(await linesOf((await receive(' pad-1')).id)).toMatchObject(bought);
      await map('PAD-1', null);
      expect(await linesOf((await receive('PAD-1')).id)).toMatchObject(bought);
      expect(await linesOf((await receive('PAD-2')).id)).toMatchObject([{ outcome: 'unmatched' }]);
    });

    it('stays beside what its SKU stands for now, and its receipt goes on to count', async (opened) => {
      const { shop, map, receive, again, linesOf, statusOf, complete } = opened;
      const keys = await publishProduct(opened, shop.orgId, 'Keys');
      await map('PAD-1', shop.product.id);
      const { id, plan } = await receive('PAD-1');
      await map('PAD-1', keys.product.id);
      const second = await again(id, 'PAD-1');
      expect(await linesOf(id)).toMatchObject([
        { position: 0, sku: 'PAD-1', outcome: 'delivered', productId: keys.product.id },
        {
          position: 1,
          sku: 'PAD-1',
          outcome: 'already-delivered',
          productId: shop.product.id,
          purchaseId: plan.purchases[0]?.id,
        },
      ]);
      await complete(second.receipt?.id, 'sent');
      expect(await statusOf(id)).toBe('pending');
      await complete(plan.receipt?.id, 'refused');
      expect(await statusOf(id)).toBe('error');
      const third = await again(id, 'PAD-1');
      expect(third.resend).toEqual([plan.receipt?.id]);
    });

    it('is known by every SKU that it was found under', async (opened) => {
      const { shop, map, unmap, receive, again, linesOf } = opened;
      await map('PAD-1', shop.product.id);
      await map('PAD-2', shop.product.id);
      const { plan } = await receive('PAD-1');
      const { id } = await receive('PAD-2');
      await unmap('PAD-2');
      await again(id, 'PAD-2');
      expect(await linesOf(id)).toMatchObject([
        { outcome: 'already-delivered', purchaseId: plan.purchases[0]?.id },
      ]);
      expect((await again(id, 'PAD-2')).purchaseAliases).toEqual([]);
    });

    it('is not another line’s: a vendor’s id is not a SKU, nor is one order another', async (opened) => {
      const { shop, map, unmap, receive, linesOf } = opened;
      await map('77', shop.product.id);
      await receive('77');
      await unmap('77');
      const vendor = { candidates: [{ kind: 'vendor-id', value: '77' }] } as const;
      expect(await linesOf((await receive('77', { vendor })).id)).toMatchObject([{ outcome: 'unmatched' }]);
      const other = await receive('77', { orderId: 'another' });
      expect(await linesOf(other.id)).toMatchObject([{ outcome: 'unmatched' }]);
    });
  });
}

interface Changes {
  readonly orderId?: string;
  readonly vendor?: Partial<Order['lines'][number]>;
}

function helpers(opened: OpenedShop) {
  const { deliveries, shop } = opened;
  const { orgId } = shop;
  const make = (sku: string, { orderId = '5001', vendor = {} }: Changes = {}) =>
    makeOrder(shop, { orderId, lines: [makeLine(sku, vendor)] });
  return {
    map: (sku: string, productId: string | null) => mapSku(opened, orgId, { sku, platform: null, productId }),
    unmap: (sku: string) => unmapSku(opened, orgId, { sku, platform: null }),
    receive: async (sku: string, changes: Changes = {}) => {
      const plan = await fulfil(opened, make(sku, changes));
      return { id: plan.delivery.id, plan };
    },
    again: (id: string, sku: string) => fulfilAgain(opened, make(sku), id),
    linesOf: async (id: string): Promise<readonly DeliveryLine[]> =>
      (await deliveries.show(orgId, id))?.lines ?? [],
    statusOf: async (id: string) => (await deliveries.find(orgId, id))?.status,
    complete: (receiptId = '', kind: 'sent' | 'refused') => completeNow(opened, receiptId, kind),
  };
}

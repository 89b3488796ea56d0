import { updateProduct } from '../../catalogue/update-product.ts';
import { fulfilOrder } from '../../fulfilment/fulfil-order.ts';
import { redeliver } from '../../fulfilment/redeliver.ts';
import type { Order } from '../../orders/order.ts';
import { removeOldBodies } from '../../upkeep/remove-old-bodies.ts';
import type { TestRunner } from '../runner.ts';
import { makeLine, makeOrder, recordOrder } from '../samples.ts';
import type { CreateStores, OpenedShop } from './harness.ts';
import { openFreshShop } from './harness.ts';

const DAY = 24 * 60 * 60 * 1000;

/** What is kept no longer. */
export function upkeepContract({ describe, it, expect }: TestRunner, createStores: CreateStores): void {
  describe('stored bodies', () => {
    it('are removed once they are old, and then the entry stays but cannot be run', async () => {
      const opened = await openFreshShop(createStores);
      const { stores, shop, clock } = opened;
      const order = makeOrder(shop, { lines: [makeLine('unknown')] });
      const { delivery } = await fulfil(opened, order);
      const orders = { read: () => order };
      const again = () => redeliver({ ...opened, ...stores, orders }, shop.orgId, delivery.id);
      clock.advance(180 * DAY);
      expect(await remove(opened)).toBe(0);
      expect((await again()).kind).toBe('redelivered');
      clock.advance(1);
      expect(await remove(opened)).toBe(1);
      expect(await remove(opened)).toBe(0);
      expect((await stores.deliveries.find(shop.orgId, delivery.id))?.body).toBe(null);
      expect(await again()).toEqual({ kind: 'body-removed' });
      expect(await stores.deliveries.show(shop.orgId, delivery.id)).toMatchObject({ status: 'error' });
      expect(await stores.openDeliveries.countUnmatched(shop.orgId)).toBe(1);
      expect(await stores.openDeliveries.countWithSku(shop.orgId, 'unknown', null)).toBe(0);
    });

    it('of what is pending or held stay, however old', async () => {
      const opened = await openFreshShop(createStores);
      const { stores, shop, clock } = opened;
      const pending = await recordOrder(opened, makeOrder(shop, { orderId: '1' }));
      await updateProduct({ clock, products: stores.products }, shop.orgId, shop.product.id, {
        status: 'draft',
      });
      const held = await fulfil(opened, makeOrder(shop, { orderId: '2' }));
      clock.advance(400 * DAY);
      expect(await remove(opened)).toBe(0);
      for (const id of [pending.id, held.delivery.id]) {
        expect((await stores.deliveries.find(shop.orgId, id))?.body === null).toBe(false);
      }
    });
  });
}

function remove({ clock, stores }: OpenedShop) {
  return removeOldBodies({ clock, upkeep: stores.upkeep }, 180);
}

async function fulfil(opened: OpenedShop, order: Order) {
  const { id } = await recordOrder(opened, order);
  return fulfilOrder({ ...opened, fulfilment: opened.stores.fulfilment }, order, { id, attempts: 0 });
}

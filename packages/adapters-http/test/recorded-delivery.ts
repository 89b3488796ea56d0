import { type Delivery, fulfilOrder, type Order } from '@handover/domain';
import { makeOrder, recordOrder, type Shop } from '@handover/testkit';
import type { TestShop } from './open-test-shop.ts';

/** An entry of the webhook log, decided as its order deserves. */
export async function recordedDelivery(
  { ports, stores, shop }: TestShop,
  owner: Shop = shop,
  changes: Partial<Order> = {},
): Promise<Delivery> {
  const order = makeOrder(owner, changes);
  const delivery = await recordOrder({ ...ports, stores }, order);
  await fulfilOrder(ports, order, { id: delivery.id, attempts: 0 });
  return delivery;
}

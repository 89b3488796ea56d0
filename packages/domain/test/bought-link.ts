import { fulfilOrder } from '@handover/domain';
import { makeOrder, recordOrder } from '@handover/testkit';
import { openShopInMemory } from './open-shop-in-memory.ts';

/** A link that came with an order, and all that belongs to it. */
export async function boughtLink() {
  const { shop, ...ports } = await openShopInMemory();
  const { id } = await recordOrder(ports, makeOrder(shop));
  const plan = await fulfilOrder(ports, makeOrder(shop), { id, attempts: 0 });
  const linkId = plan.links[0]?.id ?? '';
  return { ...ports, shop, linkId, token: ports.tokens.seal(shop.orgId, linkId) };
}

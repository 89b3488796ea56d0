import { fulfilOrder } from '@handover/domain';
import {
  createCountingIds,
  createInMemoryStores,
  createManualClock,
  createPlainApiKeys,
  createPlainTokens,
  makeOrder,
  openShop,
  recordOrder,
} from '@handover/domain/testing';

/** A link that came with an order, and all that belongs to it. */
export async function boughtLink() {
  const stores = createInMemoryStores();
  const tokens = createPlainTokens();
  const ports = {
    stores,
    ...stores,
    tokens,
    clock: createManualClock(),
    ids: createCountingIds(),
    apiKeys: createPlainApiKeys(),
  };
  const shop = await openShop(ports);
  const { id } = await recordOrder(ports, makeOrder(shop));
  const plan = await fulfilOrder(ports, makeOrder(shop), { id, attempts: 0 });
  const linkId = plan.links[0]?.id ?? '';
  return { ...ports, shop, linkId, token: tokens.seal(shop.orgId, linkId) };
}

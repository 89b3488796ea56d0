import {
  createCountingIds,
  createInMemoryStores,
  createManualClock,
  createPlainApiKeys,
  createPlainTokens,
  openShop,
} from '@handover/domain/testing';

/** A new shop on stores of its own, with what most use cases ask for. */
export async function openShopInMemory() {
  const stores = createInMemoryStores();
  const ports = {
    ...stores,
    stores,
    clock: createManualClock(),
    ids: createCountingIds(),
    apiKeys: createPlainApiKeys(),
    tokens: createPlainTokens(),
  };
  return { ...ports, shop: await openShop(ports) };
}

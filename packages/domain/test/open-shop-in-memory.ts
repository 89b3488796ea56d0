import { createInMemoryStores } from '@handover/domain/memory';
import {
  createCountingIds,
  createFakeApiKeys,
  createFakeTokens,
  createManualClock,
  openShop,
} from '@handover/testkit';

/** A new shop on stores of its own, with what most use cases ask for. */
export async function openShopInMemory() {
  const stores = createInMemoryStores();
  const ports = {
    ...stores,
    stores,
    clock: createManualClock(),
    ids: createCountingIds(),
    apiKeys: createFakeApiKeys(),
    tokens: createFakeTokens(),
  };
  return { ...ports, shop: await openShop(ports) };
}

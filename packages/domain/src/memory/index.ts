export { LAPSED_AFTER_MS } from './claims.ts';
export { createInMemoryFileStore } from './file-store.ts';
export {
  createInMemoryFulfilmentStore,
  type InMemoryFulfilmentStore,
  type ShopCatalogue,
} from './fulfilment-store.ts';
export { createMemory, type Memory, rememberMemory } from './memory.ts';
export { createInMemoryStores, type InMemoryStores } from './stores.ts';
export { type Transactions, transactionsOf } from './transactions.ts';

export { CLAIM_EXPIRED_AFTER_MS } from './claims.ts';
export { createInMemoryFileStore } from './file-store.ts';
export {
  createInMemoryFulfilmentStore,
  type InMemoryFulfilmentStore,
  type ShopCatalogue,
} from './fulfilment-store.ts';
export { createMemory, type Memory, type OpenTable, rememberMemory, type SearchableTable } from './memory.ts';
export { createInMemoryStores, createStoresOverTables, type InMemoryStores } from './stores.ts';
export { type Transactions, transactionsOf } from './transactions.ts';

export type { TestDatabase, TestPostgres } from './create-test-database.ts';
export {
  createEmptyDatabase,
  createMigratedTemplate,
  createTestDatabase,
} from './create-test-database.ts';
export {
  IDLE_HANDLERS,
  listQueuedJobs,
  openStoresOn,
  openTestStores,
  type TestStores,
} from './open-test-stores.ts';

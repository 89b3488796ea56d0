export type { TestDatabase, TestPostgres } from './create-test-database.ts';
export {
  createEmptyDatabase,
  createMigratedTemplate,
  createTestDatabase,
} from './create-test-database.ts';
export { listQueuedJobs } from './list-queued-jobs.ts';
export { IDLE_HANDLERS, openStoresOn, openTestStores, type TestStores } from './open-test-stores.ts';

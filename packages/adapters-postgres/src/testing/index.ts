export type { TestDatabase, TestPostgres } from './create-test-database.ts';
export {
  createEmptyDatabase,
  createMigratedTemplate,
  createTestDatabase,
} from './create-test-database.ts';
export { IDLE_HANDLERS } from './idle-handlers.ts';
export { listQueuedJobs } from './list-queued-jobs.ts';
export type { TestStores } from './open-test-stores.ts';
export { openStoresOn, openTestStores } from './open-test-stores.ts';

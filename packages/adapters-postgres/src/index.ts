export type { Turn } from './acquire-lease.ts';
export { acquireLease } from './acquire-lease.ts';
export { type ClaimLeases, createClaimLeases } from './claim-leases.ts';
export type { Database, Databases, Log } from './connect-database.ts';
export { openDatabase, openDatabases } from './connect-database.ts';
export type { ConnectionChanges } from './create-postgres-stores.ts';
export { createPostgresStores } from './create-postgres-stores.ts';
export type { DatabaseClock } from './database-clock.ts';
export { startDatabaseClock } from './database-clock.ts';
export type { JobOutbox } from './job-outbox.ts';
export type { JobQueue } from './job-queue.ts';
export { createJobQueue } from './job-queue.ts';
export { migrate } from './migrate.ts';
export type { Schema } from './schema.ts';
export type { SealedCount, ShortSecret } from './sealed-secrets.ts';
export {
  API_KEY_CONTEXT,
  countSealedByKey,
  countUnreadableSecrets,
  listShortSecrets,
  reseal,
} from './sealed-secrets.ts';
export type { SecretBox } from './secret-box.ts';
export type { JobHandlers } from './workers.ts';

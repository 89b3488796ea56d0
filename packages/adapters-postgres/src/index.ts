export type { DatabaseClock } from './clock/database-clock.ts';
export { startDatabaseClock } from './clock/database-clock.ts';
export type { Database, Databases, Log } from './database/connect-database.ts';
export { openDatabase, openDatabases } from './database/connect-database.ts';
export type { PoolUse } from './database/create-pool.ts';
export { type ExaminedDatabase, examineDatabase } from './database/examine-database.ts';
export { allowLateReads } from './database/read-replica.ts';
export type { Schema } from './database/schema.ts';
export { isServed } from './database/server-connections.ts';
export {
  type DistributionReport,
  distributeDatabase,
  distributeNewTables,
} from './distribution/distribute-database.ts';
export { requeueOrphans } from './distribution/requeue-orphans.ts';
export { SWEEPS } from './distribution/sweeps.ts';
export type { Turn } from './jobs/acquire-lease.ts';
export { acquireLease } from './jobs/acquire-lease.ts';
export type { JobHandlers, JobOutbox } from './jobs/job-outbox.ts';
export type { JobQueue } from './jobs/job-queue.ts';
export { createJobQueue } from './jobs/job-queue.ts';
export { type Backlog, readBacklog } from './jobs/read-backlog.ts';
export type { MigrationReport } from './migrations/migrate.ts';
export {
  isKnownSchema,
  isOlderSchema,
  latestSchema,
  migrate,
  prepareSchema,
  readSchemaName,
} from './migrations/migrate.ts';
export type { SealedCount, SecretBoxes, ShortSecret } from './secrets/sealed-secrets.ts';
export {
  API_KEY_CONTEXT,
  countSealedByKey,
  countSealedInUse,
  countUnreadableSecrets,
  listShortSecrets,
  reseal,
} from './secrets/sealed-secrets.ts';
export type { SecretBox } from './secrets/secret-box.ts';
export { createFulfilmentStore } from './stores/create-fulfilment-store.ts';
export type { ConnectionChanges } from './stores/create-postgres-stores.ts';
export { createPostgresStores } from './stores/create-postgres-stores.ts';
export { secretContext } from './stores/reads/access/connections.ts';
export { type ClaimLeases, createClaimLeases } from './stores/writes/email/claim-leases.ts';
export { mapColumn, meterRows, parseRow, type RowsMeasure, splitRows } from './transfer/copy-text.ts';
export { type ExportedTable, exportTables, FILE_LIST, type Snapshot } from './transfer/export-tables.ts';
export { ImportError } from './transfer/import-error.ts';
export {
  analyzeTables,
  type ImportedTable,
  importTables,
  isOccupied,
  NOT_EMPTY,
} from './transfer/import-tables.ts';
export type { TransferredWeek } from './transfer/transferred-tables.ts';

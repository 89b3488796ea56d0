import { DatabaseSync } from 'node:sqlite';
import { createMemory, createStoresOverTables, type InMemoryStores } from '@handover/domain/memory';
import { SqliteTable } from './sqlite-table.ts';
import { createSqliteTransactions } from './sqlite-transactions.ts';

export interface SqliteStores extends InMemoryStores {
  close(): void;
}

/** Every store of the domain in a SQLite file, which several processes may share, or in `:memory:`. */
export function createSqliteStores(path: string): SqliteStores {
  const database = new DatabaseSync(path);
  database.exec(
    'pragma busy_timeout = 10000; pragma journal_mode = wal; pragma synchronous = normal; pragma temp_store = memory',
  );
  database.exec('begin immediate');
  const memory = createMemory((name) => new SqliteTable(database, name));
  database.exec('commit; pragma busy_timeout = 0');
  const stores = createStoresOverTables(memory, createSqliteTransactions(database));
  return { ...stores, close: () => database.close() };
}

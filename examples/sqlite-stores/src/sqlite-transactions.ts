import type { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import type { Transactions } from '@handover/domain/memory';

/**
 * Runs transactions one after the other, also those of other connections and processes. Each begins by locking the whole file, so
 * that what it checked is still true when it writes.
 */
export function createSqliteTransactions(database: DatabaseSync): Transactions {
  let last: Promise<unknown> = Promise.resolve();

  const run: Transactions['run'] = (work) => {
    const turn = last.then(async () => {
      await begin(database);
      try {
        const result = await work();
        database.exec('commit');
        return result;
      } catch (error) {
        if (database.isTransaction) database.exec('rollback');
        throw error;
      }
    });
    last = turn.catch(() => undefined);
    return turn;
  };

  const isolateMethod = (method: Method): Method => {
    if (!(method instanceof AsyncGeneratorFunction)) return (...given) => run(async () => method(...given));
    return async function* (...given) {
      const rows = await run(() => readAll(method(...given) as AsyncIterable<unknown>));
      yield* rows;
    };
  };

  return {
    run,
    runWithin: async (work) => {
      database.exec('savepoint part');
      try {
        const result = await work();
        database.exec('release part');
        return result;
      } catch (error) {
        database.exec('rollback to part; release part');
        throw error;
      }
    },
    isolate: (port) => {
      const methods = Object.entries(port as Readonly<Record<string, Method>>);
      return Object.fromEntries(
        methods.map(([name, method]) => [name, isolateMethod(method)]),
      ) as typeof port;
    },
  };
}

/** Waits for another writer without blocking this thread, because that writer may run in this thread. */
async function begin(database: DatabaseSync): Promise<void> {
  for (const giveUpAt = Date.now() + WAIT_MS; ; await setTimeout(1)) {
    try {
      return database.exec('begin immediate');
    } catch (error) {
      if (!isBusy(error) || Date.now() > giveUpAt) throw error;
    }
  }
}

const WAIT_MS = 10_000;

function isBusy(error: unknown): boolean {
  const SQLITE_BUSY = 5;
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

async function readAll<Row>(rows: AsyncIterable<Row>): Promise<readonly Row[]> {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

type Method = (...given: readonly unknown[]) => unknown;

const AsyncGeneratorFunction = async function* () {}.constructor as new () => unknown;

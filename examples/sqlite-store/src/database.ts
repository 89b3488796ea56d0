import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { SCHEMA } from './schema.ts';

export type Values = Record<string, SQLInputValue>;

/** A SQLite database with the tables of the store. */
export interface Database {
  all<Row>(sql: string, values: Values): Row[];
  get<Row>(sql: string, values: Values): Row | undefined;
  /** Returns the number of changed rows. */
  run(sql: string, values: Values): number;
  /** Undoes everything if the work throws. Writers wait for each other, also those of other processes. */
  inTransaction<Result>(work: () => Result): Result;
  close(): void;
}

/** `path`: a file, or `:memory:`. */
export function openDatabase(path: string): Database {
  const database = new DatabaseSync(path, { timeout: 10_000 });
  database.exec('pragma journal_mode = wal');
  database.exec(SCHEMA);
  return {
    all: <Row>(sql: string, values: Values) => database.prepare(sql).all(values) as Row[],
    get: <Row>(sql: string, values: Values) => database.prepare(sql).get(values) as Row | undefined,
    run: (sql, values) => Number(database.prepare(sql).run(values).changes),
    inTransaction: (work) => {
      database.exec('begin immediate');
      try {
        const result = work();
        database.exec('commit');
        return result;
      } catch (error) {
        if (database.isTransaction) database.exec('rollback');
        throw error;
      }
    },
    close: () => database.close(),
  };
}

/** Whether a unique key was violated: another transaction was first. */
export function isUniqueConflict(error: unknown): boolean {
  const SQLITE_CONSTRAINT_UNIQUE = 2067;
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_CONSTRAINT_UNIQUE;
}

export const toDate = (time: number): Date => new Date(time);
export const toTime = (date: Date | null | undefined): number | null => date?.getTime() ?? null;

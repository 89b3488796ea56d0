import { expect, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { count, opened } from './shop-of-the-test.ts';

/** The statements that wait for a lock. */
export const WAITING = "pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

/** Locks a row, begins one after the other, each once all before it wait for a lock, and unlocks the row. */
export async function whileLocked(
  row: string,
  id: string,
  all: readonly (() => Promise<unknown>)[],
): Promise<readonly PromiseSettledResult<unknown>[]> {
  const client = await opened.database.pool.connect();
  const begun: Promise<unknown>[] = [];
  try {
    await client.query('begin');
    await client.query(`select from ${row} for update`, [id]);
    for (const begin of all) {
      const one = begin();
      one.catch(() => undefined);
      begun.push(one);
      await vi.waitFor(async () => expect(await count(WAITING)).toBe(begun.length), WAIT_TIMEOUT_MS);
    }
  } finally {
    await client.query('rollback');
    client.release();
  }
  return Promise.allSettled(begun);
}

import { sql } from 'kysely';
import { expect, inject, it } from 'vitest';
import { createPostgresStores, openDatabase } from '../src/index.ts';
import { openTestStores } from '../src/testing/index.ts';

const SECOND = 1000;
/** What a frozen transaction may cost others, and what a busy machine adds to it. */
const ENDED_WITHIN_MS = 9 * SECOND;
const log = { warn: () => undefined, error: () => undefined };
const secretBox = { seal: (plain: string) => plain, unseal: (sealed: string) => sealed, holds: () => false };

it.concurrent('a process that freezes within a transaction holds up others for seconds, and then hears that it was ended', async () => {
  const opened = await openTestStores(inject('postgres'));
  // Another process: it has connections of its own.
  const frozen = openDatabase({ url: opened.url, log });
  const stores = createPostgresStores({ database: frozen, jobs: opened.queue, secretBox });
  try {
    await opened.database.pool.query('create table hot (id integer primary key, by text)');
    await opened.database.pool.query(`insert into hot values (1, 'nobody')`);
    const taken = Promise.withResolvers<void>();
    const thawed = Promise.withResolvers<void>();
    const transaction = frozen.db.transaction().execute(async (trx) => {
      await sql`update hot set by = 'frozen'`.execute(trx);
      taken.resolve();
      await thawed.promise;
      await sql`update hot set by = 'thawed'`.execute(trx);
    });
    const outcome = expect(transaction).rejects.toMatchObject({ code: 'store-unavailable' });
    await taken.promise;
    const began = performance.now();
    // As many as the pool has connections: nobody else would get any further either.
    const others = Array.from({ length: 10 }, () =>
      opened.database.db.transaction().execute((trx) => sql`update hot set by = 'other'`.execute(trx)),
    );
    await Promise.all(others);
    expect(performance.now() - began).toBeLessThan(ENDED_WITHIN_MS);
    thawed.resolve();
    await outcome;
    expect((await opened.database.pool.query('select by from hot')).rows).toEqual([{ by: 'other' }]);
    // Its pool has dropped the connection that was ended.
    expect(await stores.organisations.find('00000000-0000-7000-8000-000000000001')).toBe(null);
  } finally {
    await frozen.close();
    await opened.close();
  }
});

it.concurrent('a wait for a lock that outlasts any frozen process is answered as unavailable', async () => {
  const opened = await openTestStores(inject('postgres'));
  const holder = await opened.database.pool.connect();
  try {
    await holder.query('begin');
    await holder.query('create table held (id integer)');
    await holder.query('commit');
    await holder.query('begin');
    await holder.query('lock table held');
    const waiting = opened.database.db.transaction().execute((trx) => sql`select from held`.execute(trx));
    await expect(waiting).rejects.toMatchObject({ code: 'store-unavailable' });
  } finally {
    await holder.query('rollback');
    holder.release();
    await opened.close();
  }
});

it('the limits end with their transaction, so that they reach the right session through a pooler', async () => {
  const opened = await openTestStores(inject('postgres'));
  const readLimits = async (run: (text: string) => Promise<{ readonly rows: readonly unknown[] }>) =>
    (
      await run(`select current_setting('idle_in_transaction_session_timeout') as idle,
        current_setting('lock_timeout') as lock`)
    ).rows;
  try {
    const { db, pool } = opened.database;
    const within = await db.transaction().execute((trx) => readLimits((text) => sql.raw(text).execute(trx)));
    expect(within).toEqual([{ idle: '5s', lock: '10s' }]);
    expect(pool.totalCount).toBe(1);
    expect(await readLimits((text) => pool.query(text))).toEqual([{ idle: '0', lock: '0' }]);
  } finally {
    await opened.close();
  }
});

import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { LIMITS } from '../src/database/purposes.ts';
import { createPostgresStores, type Database, openDatabase, openDatabases } from '../src/index.ts';
import { openTestStores } from '../src/testing/index.ts';
import { startTcpProxy } from './tcp-proxy.ts';

const SECOND = 1000;
/** A frozen transaction costs others 5 seconds at most; a busy machine adds to it. */
const ENDED_WITHIN_MS = 8 * SECOND;
const log = { warn: () => undefined, error: () => undefined };
const secretBox = { seal: (plain: string) => plain, unseal: (sealed: string) => sealed, holds: () => false };

it.concurrent('a process that freezes within a transaction holds up others for seconds, and then hears that it was ended', async () => {
  const opened = await openTestStores(inject('postgres'));
  // Another process has connections of its own.
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
    // One for each connection of the pool: nothing else could continue either.
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
  // Without our limits.
  const holder = new pg.Client({ connectionString: opened.url });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query('create table held (id integer)');
    await holder.query('commit');
    await holder.query('begin');
    await holder.query('lock table held');
    const waiting = opened.database.db.transaction().execute((trx) => sql`select from held`.execute(trx));
    await expect(waiting).rejects.toMatchObject({ code: 'store-unavailable' });
  } finally {
    await holder.end();
    await opened.close();
  }
});

it.concurrent('a statement that takes too long is ended, and answered as unavailable', async () => {
  const opened = await openTestStores(inject('postgres'));
  const limits = { ...LIMITS.accepting, statementMs: 100 };
  const limited = openDatabase({ url: opened.url, limits, log });
  const slow = sql`select pg_sleep(60)`;
  try {
    const failed = { code: 'store-unavailable', cause: { code: '57014' } };
    await expect(slow.execute(limited.db)).rejects.toMatchObject(failed);
    await expect(limited.db.transaction().execute((trx) => slow.execute(trx))).rejects.toMatchObject(failed);
    // The connection is as good as before.
    expect(limited.pool.totalCount).toBe(1);
  } finally {
    await limited.close();
    await opened.close();
  }
});

describe('the limits of a purpose', () => {
  const readLimits = async (run: (text: string) => Promise<{ readonly rows: readonly unknown[] }>) => {
    const { rows } = await run(`select current_setting('statement_timeout') as statement,
      current_setting('lock_timeout') as lock,
      current_setting('idle_in_transaction_session_timeout') as idle`);
    return rows[0];
  };
  const within = ({ db }: Pick<Database, 'db'>) =>
    db.transaction().execute((trx) => readLimits((text) => sql.raw(text).execute(trx)));
  const alone = ({ db }: Pick<Database, 'db'>) => readLimits((text) => sql.raw(text).execute(db));

  it.each([
    ['accepting', { statement: '4500ms', lock: '4500ms', idle: '4s' }],
    ['deciding', { statement: '20s', lock: '10s', idle: '4s' }],
    ['pages', { statement: '20s', lock: '10s', idle: '4s' }],
    ['leases', { statement: '4500ms', lock: '4500ms', idle: '4s' }],
  ] as const)('hold for each of its statements: %s', async (purpose, limits) => {
    const opened = await openTestStores(inject('postgres'));
    const databases = openDatabases({ url: opened.url, log });
    try {
      expect(await alone(databases[purpose])).toEqual(limits);
      expect(await within(databases[purpose])).toEqual(limits);
      expect(await alone(databases[purpose])).toEqual(limits);
    } finally {
      await databases.close();
      await opened.close();
    }
  });

  it('end with their transaction through a pooler, so that they reach the right session', async () => {
    const opened = await openTestStores(inject('postgres'));
    const pooler = await startTcpProxy(opened.url, { changeProcessIds: true });
    const pooled = openDatabase({ url: pooler.url, limits: LIMITS.accepting, log });
    try {
      expect(await within(pooled)).toEqual({ statement: '4500ms', lock: '4500ms', idle: '4s' });
      expect(pooled.pool.totalCount).toBe(1);
      expect(await alone(pooled)).toEqual({ statement: '0', lock: '0', idle: '0' });
    } finally {
      await pooled.close();
      await pooler.close();
      await opened.close();
    }
  });
});

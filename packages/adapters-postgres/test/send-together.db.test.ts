import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { type Database, openDatabase } from '../src/database/connect-database.ts';
import { LIMITS } from '../src/database/purposes.ts';
import { WITH_NEXT } from '../src/database/transact.ts';
import { openTestStores, type TestStores } from '../src/testing/index.ts';
import { startTcpProxy } from './tcp-proxy.ts';
import { watchStatements } from './watch-statements.ts';

let opened: TestStores;
let database: Database;

beforeAll(async () => {
  opened = await openTestStores(inject('postgres'));
  const log = { warn: () => undefined, error: () => undefined };
  database = openDatabase({ url: opened.url, log, limits: { ...LIMITS.deciding, maxConnections: 1 } });
  await sql`create table steps (number integer)`.execute(database.db);
});

beforeEach(() => sql`truncate steps`.execute(database.db));

afterAll(async () => {
  await database.close();
  await opened.close();
});

const note = (number: number) => sql`insert into steps values (${number})`;
const noteWithNext = (number: number) => sql`${sql.raw(WITH_NEXT)} ${note(number)}`;
const failWithNext = sql`${sql.raw(WITH_NEXT)} select 1 / 0 where ${1} = 1`;
const listSteps = sql<{ number: number }>`select number from steps where ${true} order by ctid`;

async function steps(db = database.db): Promise<readonly number[]> {
  return (await listSteps.execute(db)).rows.map(({ number }) => number);
}

it('sends statements in their order, also when plans are discarded between them', async () => {
  for (let number = 1; number <= 400; number += 1) {
    const seen = await database.db.transaction().execute(async (trx) => {
      await noteWithNext(number).execute(trx);
      await noteWithNext(-number).execute(trx);
      const [first, second] = (await steps(trx)).slice(-2);
      await noteWithNext(0).execute(trx);
      // So that the plans are discarded before another statement each time.
      if (number % 3 === 0) await noteWithNext(0).execute(trx);
      return [first, second];
    });
    expect(seen).toEqual([number, -number]);
    expect((await steps()).at(-1)).toBe(0);
    await sql`truncate steps`.execute(database.db);
  }
});

it('fills in the rows of a statement once the next one is answered', async () => {
  await note(1).execute(database.db);
  const [before, after] = await database.db.transaction().execute(async (trx) => {
    const { rows } =
      await sql`${sql.raw(WITH_NEXT)} update steps set number = 2 where ${true} returning number`.execute(
        trx,
      );
    const before = [...rows];
    expect(await steps(trx)).toEqual([2]);
    return [before, rows];
  });
  expect(before).toEqual([]);
  expect(after).toEqual([{ number: 2 }]);
});

it('answers only what the next statement would: the failure, and not what follows from it', async () => {
  const broken = database.db.transaction().execute(async (trx) => {
    await note(1).execute(trx);
    await failWithNext.execute(trx);
    await steps(trx);
  });
  await expect(broken).rejects.toThrow('division by zero');
  expect(await steps()).toEqual([]);
});

it('does not commit when a statement fails that was sent with the commit', async () => {
  const broken = database.db.transaction().execute(async (trx) => {
    await note(1).execute(trx);
    await failWithNext.execute(trx);
  });
  await expect(broken).rejects.toThrow('division by zero');
  expect(await steps()).toEqual([]);
});

it.each([WITH_NEXT, ''])(
  'fails at once for a value that cannot be sent, and goes on with the connection: %s',
  async (prefix) => {
    const broken = database.db.transaction().execute(async (trx) => {
      await noteWithNext(1).execute(trx);
      await sql`${sql.raw(prefix)} select ${new Date(Number.NaN)}::timestamptz`.execute(trx);
    });
    await expect(broken).rejects.toThrow('Invalid time value');
    await note(2).execute(database.db);
    expect(await steps()).toEqual([2]);
  },
);

it('leaves out what a rollback would undo', async () => {
  const broken = database.db.transaction().execute(async (trx) => {
    await note(1).execute(trx);
    await noteWithNext(2).execute(trx);
    throw new Error('changed its mind');
  });
  const { statements } = await watchStatements(opened, () =>
    expect(broken).rejects.toThrow('changed its mind'),
  );
  expect(statements.at(-1)?.text).toBe('rollback');
  expect(statements.filter(({ text }) => text.startsWith(WITH_NEXT))).toEqual([]);
  await note(3).execute(database.db);
  expect(await steps()).toEqual([3]);
});

it('keeps what came before a savepoint that is undone', async () => {
  await database.db.transaction().execute(async (trx) => {
    await noteWithNext(1).execute(trx);
    await sql`savepoint part`.execute(trx);
    await noteWithNext(2).execute(trx);
    await sql`rollback to savepoint part`.execute(trx);
    await noteWithNext(3).execute(trx);
  });
  expect(await steps()).toEqual([1, 3]);
});

it('sends nothing of a transaction that does nothing', async () => {
  const { statements } = await watchStatements(opened, async () => {
    await database.db.transaction().execute(async () => undefined);
    const broken = database.db.transaction().execute(() => Promise.reject(new Error('changed its mind')));
    await expect(broken).rejects.toThrow('changed its mind');
  });
  expect(statements).toEqual([]);
});

it('sends a statement at once that is not in a transaction', async () => {
  await noteWithNext(1).execute(database.db);
  expect(await steps(opened.database.db)).toEqual([1]);
});

it('waits for each statement as long as those in front of it may take, too', async () => {
  const limits = { ...LIMITS.deciding, statementMs: 1_500, maxConnections: 1 };
  const log = { warn: () => undefined, error: () => undefined };
  const quick = openDatabase({ url: opened.url, log, limits });
  try {
    // Together they take longer than the client waits for one.
    await quick.db.transaction().execute(async (trx) => {
      for (let number = 1; number <= 3; number += 1)
        await sql`${sql.raw(WITH_NEXT)} select pg_sleep(0.75) where ${true}`.execute(trx);
      await note(7).execute(trx);
    });
    expect((await steps()).at(-1)).toBe(7);
  } finally {
    await quick.close();
  }
});

it('waits no longer for a connection that hangs between two answers than for one statement', async () => {
  const limits = { ...LIMITS.deciding, statementMs: 2_000, maxConnections: 1 };
  const log = { warn: () => undefined, error: () => undefined };
  const wire = await startTcpProxy(opened.url);
  const hanging = openDatabase({ url: wire.url, log, limits });
  try {
    await note(1).execute(hanging.db);
    const broken = hanging.db.transaction().execute(async (trx) => {
      for (let number = 1; number <= 8; number += 1)
        await sql`${sql.raw(WITH_NEXT)} select pg_sleep(0.1) where ${true}`.execute(trx);
      await sql`select pg_sleep(1.5) where ${true}`.execute(trx);
    });
    const outcome = expect(broken).rejects.toMatchObject({ code: 'store-unavailable' });
    // All but the last ones are answered.
    await pause(800);
    wire.stall();
    const hungAt = performance.now();
    await outcome;
    // All of them may take 25 s together.
    expect(performance.now() - hungAt).toBeLessThan(WAIT_TIMEOUT_MS);
  } finally {
    await wire.close();
    await hanging.close();
  }
});

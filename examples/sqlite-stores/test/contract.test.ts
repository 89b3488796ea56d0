import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Customer, Stores } from '@handover/domain';
import { createMemory } from '@handover/domain/memory';
import { storesContract } from '@handover/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { createSqliteStores } from '../src/index.ts';
import { INDEXES } from '../src/indexes.ts';
import { SqliteTable } from '../src/sqlite-table.ts';

const folder = mkdtempSync(join(tmpdir(), 'handover-sqlite-'));
const file = join(folder, 'stores.sqlite');
const [one, other] = [createSqliteStores(file), createSqliteStores(file)];
const database = new DatabaseSync(file, { timeout: 10_000 });

afterAll(() => {
  for (const opened of [one, other, database]) opened.close();
  rmSync(folder, { recursive: true });
});

storesContract({ describe, it, expect }, async () => {
  clear();
  const { queuedJobs, finishJob, expireClaims } = one;
  const stores = takeTurns(one, other);
  return { stores, queuedJobs, expireClaims, dropJobs: async (jobs) => jobs.forEach(finishJob) };
});

describe('a file of SQLite', () => {
  it('refuses a second row of one unique key, whichever connection writes it', () => {
    clear();
    const customers = new SqliteTable<Customer>(database, 'customers');
    const ana = { orgId: 'lumen', name: 'Ana', createdAt: new Date(0) };
    customers.set('1', { ...ana, id: '1', email: 'ana@example.com' });
    const write = (orgId: string) => () =>
      customers.set('2', { ...ana, id: '2', orgId, email: 'ANA@Example.com' });
    expect(write('lumen')).toThrow('UNIQUE constraint failed: customers.unique_key');
    expect(write('mira')).not.toThrow();
    expect([...customers.keys()]).toEqual(['1', '2']);
  });

  it('makes a writer wait for a transaction of another connection, without blocking it', async () => {
    clear();
    const order: string[] = [];
    const { promise: paused, resolve: goOn } = Promise.withResolvers<void>();
    const first = one.inTransaction(async ({ throttles }) => {
      await throttles.count('key', 1000, new Date(0));
      await paused;
      order.push('first');
    });
    const second = other.throttles
      .count('key', 1000, new Date(0))
      .then(({ tries }) => order.push(`second: ${tries}`));
    setTimeout(goOn, 20);
    await Promise.all([first, second]);
    expect(order).toEqual(['first', 'second: 2']);
  });

  it('is searched by its indexes', () => {
    const tables = Object.keys(createMemory());
    expect(tables).toEqual(expect.arrayContaining(Object.keys(INDEXES)));
    for (const [table, indexes] of Object.entries(INDEXES)) {
      for (const members of indexes) {
        const condition = members.map((member) => `document ->> '${member}' is ?`).join(' and ');
        const plan = database
          .prepare(`explain query plan select document from "${table}" where ${condition} order by position`)
          .all(...members);
        expect(plan.map(({ detail }) => detail)).toContainEqual(
          expect.stringContaining(`SEARCH ${table} USING INDEX ${table}_${members.join('_')}`),
        );
      }
    }
  });
});

/** Empties the tables for the next test, because creating tables takes longer. */
function clear(): void {
  const tables = database.prepare(`select name from sqlite_schema where type = 'table'`).all();
  database.exec(`begin; ${tables.map(({ name }) => `delete from "${name}"`).join('; ')}; commit`);
}

/** Simulates two processes that share the file: calls go to them in turn. */
function takeTurns(...processes: readonly [Stores, Stores]): Stores {
  let calls = 0;
  const next = () => {
    calls += 1;
    return calls % 2 === 0 ? processes[0] : processes[1];
  };
  const ports = Object.entries(processes[0]).filter(([, port]) => typeof port === 'object');
  const spread = ports.map(([port, methods]) => {
    const called = Object.keys(methods).map((method) => [
      method,
      (...given: unknown[]) => Reflect.get(Reflect.get(next(), port), method)(...given),
    ]);
    return [port, Object.fromEntries(called)];
  });
  return { ...Object.fromEntries(spread), inTransaction: (work: never) => next().inTransaction(work) };
}

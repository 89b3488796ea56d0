import { EventEmitter } from 'node:events';
import type { Stores } from '@handover/domain';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { createPool } from '../src/database/create-pool.ts';
import { type ConnectionLimits, LIMITS, type Purpose, QUEUE_LIMITS } from '../src/database/purposes.ts';
import {
  type ConnectionChanges,
  createClaimLeases,
  createPostgresStores,
  type Databases,
  openDatabase,
  openDatabases,
} from '../src/index.ts';
import { createClaims } from '../src/stores/writes/email/claims.ts';
import { openTestStores, type TestStores } from '../src/testing/index.ts';

const ORG = '00000000-0000-7000-8000-000000000001';
const log = { warn: () => undefined, error: () => undefined };
const secretBox = { seal: (plain: string) => plain, unseal: (sealed: string) => sealed, holds: () => false };
const PURPOSES = Object.keys(LIMITS) as readonly Purpose[];

let opened: TestStores;
let databases: Databases;

beforeEach(async () => {
  opened = await openTestStores(inject('postgres'));
  databases = openDatabases({ url: opened.url, log });
});

afterEach(async () => {
  await databases.close();
  await opened.close();
});

/** One statement for each connection of the purpose. They wait for a lock of the test. */
async function occupy(purpose: Purpose): Promise<() => Promise<void>> {
  const { maxConnections } = LIMITS[purpose];
  const holder = await opened.database.pool.connect();
  await holder.query('select pg_advisory_lock(1)');
  const stuck = Array.from({ length: maxConnections }, () =>
    sql`select pg_advisory_xact_lock_shared(1)`.execute(databases[purpose].db),
  );
  await vi.waitUntil(async () => (await countWaiting()) === maxConnections, WAIT_TIMEOUT_MS);
  return async () => {
    await holder.query('select pg_advisory_unlock(1)');
    holder.release();
    await Promise.all(stuck);
  };
}

async function countWaiting(): Promise<number> {
  const { rows } = await opened.database.pool.query(
    `select count(*)::integer as count from pg_stat_activity
     where datname = current_database() and wait_event = 'advisory'`,
  );
  return rows[0].count;
}

it('waits for the disk where data must not be lost, and not for notes of the queue', async () => {
  const isDurable = async (limits: ConnectionLimits) => {
    const pool = createPool({ url: opened.url, limits, log });
    const text = `select setting, source from pg_settings where name = 'synchronous_commit'`;
    const { rows } = await pool.query(text).finally(() => pool.end());
    // The server of the tests waits for no disk itself.
    return !(rows[0].setting === 'off' && rows[0].source === 'session');
  };
  expect(await Promise.all([...Object.values(LIMITS), QUEUE_LIMITS].map(isDurable))).toEqual([
    ...PURPOSES.map(() => true),
    false,
  ]);
});

async function countConnections(): Promise<number> {
  const { rows } = await opened.database.pool.query(
    `select count(*)::integer as count from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend'`,
  );
  return rows[0].count;
}

describe('connections by purpose', () => {
  it.each(PURPOSES)('all others are served while those of %s are stuck', async (purpose) => {
    const release = await occupy(purpose);
    for (const other of PURPOSES.filter((one) => one !== purpose)) {
      const { rows } = await sql`select 1 as one`.execute(databases[other].db);
      expect(rows).toEqual([{ one: 1 }]);
    }
    expect(await countWaiting()).toBe(LIMITS[purpose].maxConnections);
    await release();
  });

  it('are opened when they are needed, up to their limit', async () => {
    const before = await countConnections();
    await sql`select 1`.execute(databases.pages.db);
    expect(await countConnections()).toBe(before + 1);
    const busy = Array.from({ length: 30 }, () => sql`select pg_sleep(0.05)`.execute(databases.accepting.db));
    await Promise.all(busy);
    expect(await countConnections()).toBe(before + 1 + LIMITS.accepting.maxConnections);
  });

  it("of three processes, and 15 others, fit into PostgreSQL's default limit", async () => {
    const pools = [...Object.values(LIMITS), QUEUE_LIMITS];
    // Readiness and the clock have one each.
    const ofOneProcess = pools.reduce((sum, { maxConnections }) => sum + maxConnections, 2);
    const forSuperusers = 3;
    expect(3 * ofOneProcess + 15).toBeLessThanOrEqual(100 - forSuperusers);
  });

  it('a lease lasts longer than the time within which its renewal is given up', () => {
    const { waitMs, statementMs } = LIMITS.leases;
    expect(waitMs + statementMs).toBeLessThan(10_000);
  });
});

describe('an exhausted pool', () => {
  it('is detected when no waiting request was served for a while, until one is served', async () => {
    expect(databases.isExhausted()).toBe(false);
    const release = await occupy('accepting');
    // Nothing waits for a connection yet.
    expect(databases.isExhausted()).toBe(false);
    const waiting = sql`select 1`.execute(databases.accepting.db);
    expect(databases.isExhausted()).toBe(false);
    await vi.waitUntil(() => databases.isExhausted(), WAIT_TIMEOUT_MS);
    await release();
    await waiting;
    expect(databases.isExhausted()).toBe(false);
  });

  it('is distinguished from a busy pool', async () => {
    const seen = new Set<boolean>();
    const look = setInterval(() => seen.add(databases.isExhausted()), 20);
    const busy = Array.from({ length: 12 }, () => sql`select pg_sleep(1)`.execute(databases.accepting.db));
    await Promise.all(busy);
    clearInterval(look);
    expect(seen).toEqual(new Set([false]));
  });

  it('fails a request as unavailable after its wait timeout', async () => {
    const limits = { ...LIMITS.accepting, maxConnections: 1, waitMs: 200 };
    const database = openDatabase({ url: opened.url, limits, log });
    // On a busy machine, the first connection takes longer than the wait timeout.
    const held = await vi.waitFor(() => database.pool.connect(), WAIT_TIMEOUT_MS);
    await expect(sql`select 1`.execute(database.db)).rejects.toMatchObject({ code: 'store-unavailable' });
    held.release();
    await database.close();
  });
});

describe('stores of several purposes', () => {
  function openStores(purpose: Purpose, connectionChanges: ConnectionChanges): Stores {
    return createPostgresStores({
      database: databases[purpose],
      jobs: opened.queue,
      secretBox,
      connectionChanges,
    });
  }

  it('see at once what was changed through another: the secrets of a connection', async () => {
    const changes: ConnectionChanges = new EventEmitter();
    const [accepting, pages] = [openStores('accepting', changes), openStores('pages', changes)];
    const now = new Date();
    await opened.database.pool.query(
      `insert into organisations (id, name, email, created_at) values ($1, 'Lumen', 'a@x', now())`,
      [ORG],
    );
    const list = async () =>
      (await accepting.connections.list(ORG, 'cart-a', now, 'recent'))?.flatMap(({ secrets }) => secrets);
    expect(await list()).toEqual([]);
    await pages.connections.replaceSecret({
      orgId: ORG,
      platform: 'cart-a',
      name: 'main',
      connectionId: ORG,
      secretId: ORG,
      secret: 'one',
      now,
      formerUntil: now,
    });
    expect(await list()).toHaveLength(1);
  });

  it('renew the claims of mails though all connections of the stores are stuck', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const leases = createClaimLeases(() => 0, databases.leases.db);
    const claims = createClaims(databases.deciding.db, leases);
    let taken = '';
    await claims.take({ orgId: ORG, id: ORG }, async (claimId) => {
      taken = claimId;
      return { kind: 'claimed' };
    });
    expect(leases.isSure(taken)).toBe(true);
    const release = await occupy('deciding');
    vi.advanceTimersByTime(5_000);
    vi.useRealTimers();
    // There is no such receipt: the renewal finds that the claim is lost.
    await vi.waitUntil(() => !leases.isSure(taken), WAIT_TIMEOUT_MS);
    await release();
  });
});

it('names each connection by its process and its purpose, as the metrics do', async () => {
  await Promise.all(PURPOSES.map((purpose) => sql`select 1`.execute(databases[purpose].db)));
  const { rows } = await opened.database.pool.query(
    `select distinct split_part(application_name, ' ', 3) as purpose from pg_stat_activity
     where datname = current_database() and application_name like 'handover %' and pid <> pg_backend_pid()`,
  );
  const named = rows.map(({ purpose }) => purpose);
  const measured = databases.pools().map(({ purpose }) => purpose);
  expect(measured.filter((purpose) => !named.includes(purpose))).toEqual([]);
});

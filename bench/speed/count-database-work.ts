import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { ALL_PLATFORMS, prepareOrders } from './make-orders.ts';
import { waitForMails } from './measure-webhooks.ts';
import type { World } from './open-world.ts';
import { sendWithRetries } from './send-requests.ts';

/** The work of PostgreSQL. */
export interface DatabaseWork {
  /** As its own log counts them, including `begin` and `commit`. */
  readonly statements: number;
  readonly transactions: number;
  /** How often the WAL was flushed to disk. */
  readonly flushes: number;
  readonly walBytes: number;
}

/** After the last mail, to count the work that follows it as well. */
const AFTERWARDS_MS = 1_000;

/**
 * Counts what one order costs the database: a separate server processes this many, and the work of one that was
 * started and stopped without any is subtracted. A server must end before the counts are read: PostgreSQL adds those
 * of a connection when it is closed.
 */
export async function countWorkPerOrder(world: World, orders: number): Promise<DatabaseWork> {
  await world.server().stop();
  const admin = new pg.Client({ connectionString: world.superuserUrl });
  await admin.connect();
  const owner = admin.escapeIdentifier(new URL(world.databaseUrl).username);
  try {
    await admin.query(`alter role ${owner} set log_statement = 'all'`);
    const idle = await countDuring(world, admin, () => pause(AFTERWARDS_MS));
    const busy = await countDuring(world, admin, async () => {
      const { shops, mail, server } = world;
      const requests = prepareOrders(shops, ALL_PLATFORMS, orders);
      const { accepted } = await sendWithRetries(server().url, requests);
      await waitForMails(mail, accepted);
      await pause(AFTERWARDS_MS);
    });
    const perOrder = (of: keyof DatabaseWork) => (busy[of] - idle[of]) / orders;
    return {
      statements: perOrder('statements'),
      transactions: perOrder('transactions'),
      flushes: perOrder('flushes'),
      walBytes: perOrder('walBytes'),
    };
  } finally {
    await admin.query(`alter role ${owner} reset log_statement`);
    await admin.end();
  }
}

async function countDuring(world: World, admin: pg.Client, work: () => Promise<void>): Promise<DatabaseWork> {
  const { size: logged } = await stat(world.databaseLog);
  const before = await readCounts(admin, world);
  const server = await world.addServer();
  await work();
  await server.stop();
  const after = await readCounts(admin, world);
  return {
    statements: await countStatements(world.databaseLog, logged),
    transactions: after.transactions - before.transactions,
    flushes: after.flushes - before.flushes,
    walBytes: after.walBytes - before.walBytes,
  };
}

async function readCounts(
  admin: pg.Client,
  { databaseUrl }: World,
): Promise<Omit<DatabaseWork, 'statements'>> {
  const { rows } = await admin.query(
    `select xact_commit::float8 as transactions,
       (select sum(fsyncs) from pg_stat_io where object = 'wal')::float8 as flushes,
       (select wal_bytes from pg_stat_wal)::float8 as "walBytes"
     from pg_stat_database where datname = $1`,
    [new URL(databaseUrl).pathname.slice(1)],
  );
  return rows[0];
}

async function countStatements(log: string, from: number): Promise<number> {
  let count = 0;
  // Further lines of one statement begin with a tab.
  for await (const line of createInterface(createReadStream(log, { start: from })))
    if (/^[^\t].* LOG: {2}(statement|execute)/.test(line)) count += 1;
  return count;
}

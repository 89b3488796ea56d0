import { appendFile, copyFile, cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate } from '@handover/adapters-postgres';
import { startEmbeddedPostgres } from '@handover/embedded-postgres';
import pg from 'pg';
import { expect, it } from 'vitest';
import { openCluster } from '../../../packages/embedded-postgres/src/cluster.ts';
import {
  ownerUrlAt,
  superuserUrlAt,
} from '../../../packages/embedded-postgres/src/find-embedded-postgres.ts';
import { startPostmaster } from '../../../packages/embedded-postgres/src/start-postmaster.ts';
import {
  identifyPostmaster,
  stopPostmaster,
} from '../../../packages/embedded-postgres/src/stop-postmaster.ts';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { undoLater } from '../../../test/undo.ts';
import { startMailServer } from './support/mail-server.ts';
import { openDatabase } from './support/open-database.ts';
import { startServer } from './support/server-process.ts';
import { listPurchases, makeInstallation, openShop, sendOrder, until } from './support/shop.ts';

const SETTINGS = { fsync: 'off', wal_keep_size: '256MB' };

it('reads lists from a standby, and from the primary while that is late or away', async () => {
  const { url, standby } = await startPair();
  const environment = {
    ...(await makeInstallation(await startMailServer(), url)),
    DATABASE_READ_URL: standby.url,
  };
  const server = await startServer(environment);
  const shop = await openShop(environment, server.url);
  await sendOrder(server.url, shop.orgId, '1');
  const list = () => listPurchases(server.url, shop.apiKey);
  const watcher = new pg.Client({ connectionString: standby.superuserUrl });
  watcher.on('error', () => undefined);
  await watcher.connect();
  undoLater(() => watcher.end().catch(() => undefined));
  // A connection shows its last statement.
  const reads = () =>
    watcher.query(
      `select from pg_stat_activity where application_name like 'handover %' and query like '%purchases%'`,
    );
  await until(async () => (await list()).length === 1 && (await reads()).rowCount !== 0);
  const lag = async () => {
    const text = await (await fetch(`${server.url}/metrics`)).text();
    const [, seconds] = /^handover_replica_lag_seconds\{[^}]*\} (\S+)/m.exec(text) ?? [];
    return seconds === undefined ? null : Number(seconds);
  };
  expect(await lag()).toBeLessThan(60);

  await watcher.query('select pg_wal_replay_pause()');
  await sendOrder(server.url, shop.orgId, '2');
  const now = await fetch(`${server.url}/api/purchases`, {
    headers: { 'x-api-key': shop.apiKey, 'cache-control': 'no-cache' },
  });
  expect(await now.json()).toHaveLength(2);
  await until(async () => ((await lag()) ?? 0) > 5);
  expect(await list()).toHaveLength(2);

  await watcher.query('select pg_wal_replay_resume()');
  await until(async () => ((await lag()) ?? 60) < 5);
  // Promoted, it lacks what the primary gets from now on, but its log can grow beyond that of the primary.
  await watcher.query('select pg_promote()');
  await watcher.query('select pg_switch_wal(), pg_create_restore_point($1)', ['further']);
  await until(async () => (await lag()) === null);
  await sendOrder(server.url, shop.orgId, '3');
  expect(await list()).toHaveLength(3);
  await standby.stop();
  await sendOrder(server.url, shop.orgId, '4');
  expect(await list()).toHaveLength(4);
});

/** A primary, and a standby of it: a copy of its files that replays its log. */
async function startPair() {
  const root = await makeTemporaryDirectory();
  const [directory, copy] = [join(root, 'primary'), join(root, 'standby')];
  const first = await startEmbeddedPostgres({ directory, settings: SETTINGS });
  await migrate(first.url);
  await first.stop();
  await mkdir(copy, { mode: 0o700 });
  await cp(join(directory, 'data'), join(copy, 'data'), { recursive: true, preserveTimestamps: true });
  for (const name of ['password', 'owner-password']) await copyFile(join(directory, name), join(copy, name));
  const primary = await startEmbeddedPostgres({ directory, settings: SETTINGS });
  undoLater(() => primary.stop());

  const { hostname, port, username, password } = new URL(primary.superuserUrl);
  const connection = `host=${hostname} port=${port} user=${username} password=${password}`;
  await appendFile(join(copy, 'data', 'postgresql.auto.conf'), `primary_conninfo = '${connection}'\n`);
  await writeFile(join(copy, 'data', 'standby.signal'), '');
  const cluster = await openCluster(copy);
  const standbyPort = await startPostmaster(cluster, SETTINGS);
  const postmaster = await identifyPostmaster(cluster.data);
  const stop = () => stopPostmaster(postmaster, { fastMs: 20_000, immediateMs: 20_000 });
  undoLater(stop);
  const database = await openDatabase(await superuserUrlAt(cluster, standbyPort));
  expect((await database.query('select pg_is_in_recovery() as standby')).rows).toEqual([{ standby: true }]);
  const standby = {
    url: await ownerUrlAt(cluster, standbyPort),
    superuserUrl: await superuserUrlAt(cluster, standbyPort),
    stop,
  };
  return { url: primary.url, standby };
}

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { query } from '../../../test/query.ts';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { SCRATCH_LOCK, withScratchDatabase } from '../src/transfer/scratch-database.ts';
import { makeEmptyDatabase } from './support/shop.ts';
import { startTcpProxy } from './support/tcp-proxy.ts';

const SCRATCH = `select datname from pg_database where datname ~ '^handover_scratch_'`;

it('a scratch database is dropped, and its work not lost, though the idle connection to its server is cut', async () => {
  const url = await makeEmptyDatabase();
  let name = '';
  const result = await withScratchDatabase(url, async (scratchUrl) => {
    name = new URL(scratchUrl).pathname.slice(1);
    await query(
      url,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    return 'done';
  });
  expect(result).toBe('done');
  const left = await query(url, SCRATCH);
  expect(left).not.toContainEqual({ datname: name });
});

it('a scratch database that another process has just made is not taken for an abandoned one', async () => {
  const url = await makeEmptyDatabase();
  const name = `handover_scratch_${randomBytes(6).toString('hex')}`;
  const maker = new pg.Client({ connectionString: url });
  const user = new pg.Client({ connectionString: url.replace(/[^/?]+(?=$|\?)/, name) });
  await maker.connect();
  await maker.query('select pg_advisory_lock($1)', [SCRATCH_LOCK]);
  await maker.query(`create database ${name} template template0`);
  const other = withScratchDatabase(url, async () => 'done');
  const isWaiting = `select exists (select from pg_locks where locktype = 'advisory' and not granted) as waits`;
  await vi.waitUntil(async () => (await query(url, isWaiting))[0]?.waits, WAIT_TIMEOUT_MS);
  await user.connect();
  await maker.end();
  expect(await other).toBe('done');
  expect((await user.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await user.end();
  expect(await query(url, `drop database ${name}`)).toEqual([]);
});

it('the work is not lost though its server is away when it ends, and the next one drops the database', async () => {
  const url = await makeEmptyDatabase();
  const proxy = await startTcpProxy(url);
  let name = '';
  const result = await withScratchDatabase(proxy.url, async (scratchUrl) => {
    name = new URL(scratchUrl).pathname.slice(1);
    await proxy.goAway();
    return 'done';
  });
  expect(result).toBe('done');
  await withScratchDatabase(url, async () => undefined);
  expect(await query(url, SCRATCH)).not.toContainEqual({ datname: name });
});

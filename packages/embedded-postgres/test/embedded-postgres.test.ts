import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, describe, expect, vi } from 'vitest';
import { copyPreparedPostgres } from '../../../test/prepared-postgres.ts';
import { query } from '../../../test/query.ts';
import { type RunningProgram, runProgram } from '../../../test/run-program.ts';
import { openCluster, prepareCluster } from '../src/cluster.ts';
import { findPostmaster } from '../src/find-embedded-postgres.ts';
import { findEmbeddedPostgres, isPostmasterThere, startEmbeddedPostgres } from '../src/index.ts';
import { findFreePort, startPostmaster } from '../src/start-postmaster.ts';

const IS_ROOT = process.geteuid?.() === 0;

/** A separate data directory for each test, so that tests can run concurrently. */
const it = base.extend<{ place: Place }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what a fixture needs
  place: async ({}, use) => {
    const place = await makePlace();
    await use(place);
    await place.clear();
  },
});

describe.concurrent('startEmbeddedPostgres', () => {
  it('makes a database on the first start and keeps its data over a restart', async ({ place }) => {
    const first = await place.start();
    await query(first.url, "create table kept as select 'Straße 𝄞' as name");
    await first.stop();
    const second = await place.start();
    expect(await query(second.url, 'select name, upper(name) from kept')).toEqual([
      { name: 'Straße 𝄞', upper: 'STRAßE 𝄞' },
    ]);
    expect([first.adopted, second.adopted]).toEqual([false, false]);
    await second.stop();
  });

  it('listens on the loopback address alone and asks for its password', async ({ place }) => {
    await place.fill();
    const { url, superuserUrl, stop } = await place.start({});
    expect(
      await query(
        superuserUrl,
        "select name, setting from pg_settings where name ~ '^(listen|unix_socket_d|fsync)'",
      ),
    ).toEqual([
      { name: 'fsync', setting: 'on' },
      { name: 'listen_addresses', setting: '127.0.0.1' },
      { name: 'unix_socket_directories', setting: '' },
    ]);
    await expect(query(url.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toMatchObject({
      code: '28P01',
    });
    expect((await stat(join(place.directory, 'password'))).mode & 0o777).toBe(0o600);
    await stop();
  });

  it('can be stopped repeatedly, and is not found after that', async ({ place }) => {
    await place.fill();
    const { url, stop } = await place.start();
    expect(await findEmbeddedPostgres(place.directory)).toBe(url);
    await Promise.all([stop(), stop()]);
    await stop();
    expect(await findEmbeddedPostgres(place.directory)).toBeNull();
  });

  it('adopts the database that a killed program left running', async ({ place }) => {
    await place.fill();
    const program = place.runHolder();
    const left = await program.read();
    await program.kill('SIGKILL');
    const { url, adopted, stop } = await place.start();
    expect(left).toEqual({ url, adopted: false });
    expect(adopted).toBe(true);
    await stop();
    expect(await findEmbeddedPostgres(place.directory)).toBeNull();
  });

  it('leaves the database running when Ctrl-C ends every process of the terminal', async ({ place }) => {
    await place.fill();
    const program = place.runHolder();
    const left = await program.read();
    await program.killGroup('SIGINT');
    expect(left).toMatchObject({ url: await findEmbeddedPostgres(place.directory) });
  });

  it('gives three concurrent programs the same database', async ({ place }) => {
    const answers = await Promise.all([1, 2, 3].map(() => place.runHolder().read()));
    const url = await findEmbeddedPostgres(place.directory);
    expect(url).not.toBeNull();
    expect(answers).toEqual(
      expect.arrayContaining([
        { url, adopted: false },
        { url, adopted: true },
      ]),
    );
    expect(answers.filter((answer) => JSON.stringify(answer).includes('"adopted":true'))).toHaveLength(2);
  });

  it('starts afresh after initdb was interrupted', async ({ place }) => {
    const program = place.runHolder();
    await vi.waitUntil(async () => (await place.unfinishedData()).length > 0, {
      timeout: 60_000,
      interval: 5,
    });
    await program.kill('SIGKILL');
    expect(await readdir(place.directory)).not.toContain('data');
    const { url, stop } = await place.start();
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await stop();
    // The initdb of the killed program may continue for a moment; once it is done, a start deletes its files.
    await vi.waitFor(
      async () => {
        await (await place.start()).stop();
        expect(await place.unfinishedData()).toEqual([]);
      },
      { timeout: 60_000 },
    );
  });

  it('recovers its data after the postmaster itself was killed', async ({ place }) => {
    await place.fill();
    const { url } = await place.start();
    await query(url, 'create table kept as select 1 as one');
    process.kill(await place.postmasterPid(), 'SIGKILL');
    const again = await place.start();
    expect(again.adopted).toBe(false);
    expect(await query(again.url, 'select one from kept')).toEqual([{ one: 1 }]);
    await again.stop();
  });

  it('ignores a stale postmaster.pid whose pid another program has now', async ({ place }) => {
    await place.fill();
    const { url, stop } = await place.start();
    await query(url, 'create table kept as select 1 as one');
    const file = join(place.directory, 'data', 'postmaster.pid');
    const written = await readFile(file, 'utf8');
    await stop();
    await writeFile(file, written.replace(/^\d+/, String(process.pid)));
    expect(await findEmbeddedPostgres(place.directory)).toBeNull();
    const again = await place.start();
    expect(again.adopted).toBe(false);
    expect(await query(again.url, 'select one from kept')).toEqual([{ one: 1 }]);
    await again.stop();
  });

  it('takes another port when its port is in use', async ({ place }) => {
    await place.fill();
    const cluster = await openCluster(place.directory);
    await prepareCluster(cluster, { durable: false });
    const other = createServer();
    const taken = await findFreePort();
    await new Promise<void>((resolve) => other.listen(taken, '127.0.0.1', resolve));
    const ports = [taken, taken, await findFreePort()];
    const port = await startPostmaster(cluster, { fsync: 'off' }, async () => ports.shift() ?? 0);
    expect(port).not.toBe(taken);
    expect(await findPostmaster(cluster.data)).toMatchObject({ port });
    await new Promise((resolve) => other.close(resolve));
  });

  it('says what to do with the data of another major version', async ({ place }) => {
    await mkdir(join(place.directory, 'data'), { recursive: true });
    await writeFile(join(place.directory, 'data', 'PG_VERSION'), '15\n');
    await expect(place.start()).rejects.toMatchObject({
      code: 'DATABASE_VERSION_MISMATCH',
      message: expect.stringMatching(/made by PostgreSQL 15.*set DATABASE_URL/s),
    });
  });

  it('does not touch a data directory with other content', async ({ place }) => {
    await mkdir(join(place.directory, 'data'), { recursive: true });
    await writeFile(join(place.directory, 'data', 'letters.txt'), 'dear …');
    await expect(place.start()).rejects.toMatchObject({ code: 'DATABASE_DIRECTORY_UNKNOWN' });
    expect(await readdir(join(place.directory, 'data'))).toEqual(['letters.txt']);
  });

  it('reports PostgreSQL’s log when it does not start', async ({ place }) => {
    await place.fill();
    await expect(place.start({ fsync: 'off', work_mem: 'plenty' })).rejects.toMatchObject({
      code: 'DATABASE_DID_NOT_START',
      message: expect.stringContaining('work_mem'),
    });
  });

  it('leaves no server running when its start fails after that of the server', async ({ place }) => {
    await place.fill();
    const password = join(place.directory, 'password');
    await rename(password, `${password}.lost`);
    await expect(place.start()).rejects.toThrow(/password is missing/);
    expect(await isPostmasterThere(place.directory)).toBe(false);
    await rename(`${password}.lost`, password);
    await (await place.start()).stop();
  });

  it.runIf(IS_ROOT)(
    'runs for root as another user, in a directory that is closed to that user',
    async ({ place }) => {
      await chmod(place.dataDir, 0o700);
      const { stop } = await place.start();
      const user = execFileSync('ps', ['-o', 'uid=', '-p', String(await place.postmasterPid())], {
        encoding: 'utf8',
      });
      expect(Number(user)).not.toBe(0);
      expect((await stat(join(place.directory, 'data'))).uid).toBe(Number(user));
      expect((await stat(place.dataDir)).uid).toBe(0);
      await stop();
    },
  );
});

type Place = Awaited<ReturnType<typeof makePlace>>;

async function makePlace() {
  const dataDir = await mkdtemp(join(tmpdir(), 'handover-postgres-'));
  const directory = join(dataDir, 'postgres');
  const programs: RunningProgram[] = [];
  // Without fsync, so that tests are fast; these tests simulate no power cut.
  const start = (settings: Record<string, string> = { fsync: 'off' }) =>
    startEmbeddedPostgres({ directory, settings });
  return {
    dataDir,
    directory,
    start,
    /** For tests that are not about making it. */
    fill: () => copyPreparedPostgres(directory),
    runHolder: () => {
      const program = runProgram(new URL('./programs/hold-postgres.ts', import.meta.url), directory);
      programs.push(program);
      return program;
    },
    unfinishedData: async () =>
      (await readdir(directory).catch(() => [])).filter((name) => name.startsWith('data.new-')),
    postmasterPid: async () =>
      Number.parseInt(await readFile(join(directory, 'data', 'postmaster.pid'), 'utf8'), 10),
    clear: async () => {
      await Promise.all(programs.map((program) => program.kill('SIGKILL')));
      if (await isPostmasterThere(directory)) await (await start()).stop();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

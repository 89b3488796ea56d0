import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, globSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '../../packages/embedded-postgres/src/start-postmaster.ts';
import { endProcess } from '../../test/end-process.ts';
import { query } from '../../test/query.ts';
import { undoLater } from '../../test/undo.ts';

const run = promisify(execFile);

/** A cluster of Debian's PostgreSQL, on a free port. */
export interface Cluster {
  readonly port: number;
  readonly url: string;
  /** Its folder. */
  readonly data: string;
  stop(mode: 'fast' | 'immediate'): Promise<void>;
  start(): Promise<void>;
  /** Makes a standby the primary. */
  promote(): Promise<void>;
  /** Changes a setting while it runs. */
  configure(name: string, value: string): Promise<void>;
  /** Sets its clock so far ahead of the machine's; every process follows it. */
  setClock(aheadSeconds: number): Promise<void>;
}

/** Runs as Debian's user: PostgreSQL and pgbouncer refuse root. */
export function asPostgres(command: string, ...words: readonly string[]) {
  return run('runuser', ['-u', 'postgres', '--', command, ...words]);
}

/** A new cluster; or a standby of another one, which receives each commit under this name. */
export async function startCluster(
  settings: Readonly<Record<string, string>>,
  of?: Cluster,
): Promise<Cluster> {
  const directory = await makeDirectory();
  const data = join(directory, 'data');
  const port = await findFreePort();
  if (of === undefined) {
    await asPostgres(program('initdb'), '--pgdata', data, '--auth=trust', '--username=postgres', '--no-sync');
  } else {
    const from = `host=127.0.0.1 port=${of.port} user=postgres application_name=standby`;
    await asPostgres(
      program('pg_basebackup'),
      '--pgdata',
      data,
      '--dbname',
      from,
      '--write-recovery-conf',
      '--no-sync',
    );
  }
  const own = { port: String(port), listen_addresses: '127.0.0.1', unix_socket_directories: '' };
  const all = { ...own, ...settings };
  const lines = Object.entries(all).map(([name, value]) => `${name} = '${value}'\n`);
  appendFileSync(join(data, 'postgresql.conf'), lines.join(''));
  const clock = join(directory, 'clock');
  await writeFile(clock, '+0');
  const ownClock = [
    `LD_PRELOAD=${findOne('/usr/lib/*/faketime/libfaketime.so.1')}`,
    `FAKETIME_TIMESTAMP_FILE=${clock}`,
    'FAKETIME_CACHE_DURATION=1',
    'FAKETIME_DONT_FAKE_MONOTONIC=1',
  ];
  const pgCtl = (...words: readonly string[]) =>
    asPostgres('env', ...ownClock, program('pg_ctl'), '--pgdata', data, '-w', ...words);
  const cluster: Cluster = {
    port,
    data,
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    // Its output would keep the pipe of this command open.
    start: async () => void (await pgCtl('--log', join(directory, 'log'), 'start')),
    setClock: async (aheadSeconds) => writeFile(clock, `+${aheadSeconds}`),
    stop: async (mode) => void (await pgCtl('-m', mode, 'stop').catch(() => undefined)),
    promote: async () => void (await pgCtl('promote')),
    configure: async (name, value) => {
      appendFileSync(join(data, 'postgresql.conf'), `${name} = '${value}'\n`);
      await pgCtl('reload');
    },
  };
  await cluster.start();
  undoLater(() => cluster.stop('immediate'));
  return cluster;
}

/** A primary with a standby, behind HAProxy. A commit is answered when the standby has it on its disk. */
export async function startReplicated() {
  const primary = await startCluster({ wal_level: 'replica', max_wal_senders: '4' });
  const standby = await startCluster({}, primary);
  await primary.configure('synchronous_standby_names', 'standby');
  const { url } = await startHaproxy([primary, standby]);
  return { primary, standby, url };
}

/** A pgbouncer in transaction mode, for every database of the cluster. */
export async function startPgbouncer(cluster: Cluster): Promise<{ readonly url: string }> {
  const directory = await makeDirectory();
  const port = await findFreePort();
  const config = join(directory, 'pgbouncer.ini');
  await writeFile(join(directory, 'users'), '"postgres" ""\n');
  await writeFile(
    config,
    `[databases]
* = host=127.0.0.1 port=${cluster.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
pool_mode = transaction
auth_type = trust
auth_file = ${directory}/users
max_client_conn = 500
; Few, so that clients share them.
default_pool_size = 4
`,
  );
  const words = ['--reuid=postgres', '--regid=postgres', '--clear-groups', 'pgbouncer', '--quiet', config];
  const child = spawn('setpriv', words, { stdio: 'ignore' });
  undoLater(() => endProcess(child));
  return { url: `postgresql://postgres@127.0.0.1:${port}/postgres` };
}

/**
 * HAProxy in front of clusters: connections go to the one that is the primary, which it asks every 500 ms as a program
 * that speaks PostgreSQL cannot: so a small HTTP server per cluster answers it, as Patroni does.
 */
async function startHaproxy(clusters: readonly Cluster[]): Promise<{ readonly url: string }> {
  const directory = await makeDirectory();
  const port = await findFreePort();
  const servers = await Promise.all(
    clusters.map(async (cluster, n) => {
      const check = await serveRole(cluster);
      return `  server node${n} 127.0.0.1:${cluster.port} check port ${check} inter 500ms fall 1 rise 1 on-marked-down shutdown-sessions`;
    }),
  );
  const config = join(directory, 'haproxy.cfg');
  await writeFile(
    config,
    `defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen postgresql
  bind 127.0.0.1:${port}
  option httpchk GET /primary
${servers.join('\n')}
`,
  );
  const child = spawn('haproxy', ['-db', '-q', '-f', config], { stdio: 'ignore' });
  undoLater(() => endProcess(child));
  return { url: `postgresql://postgres@127.0.0.1:${port}/postgres` };
}

/** Answers 200 while the cluster is the primary, as Patroni's `GET /primary`. Resolves with its port. */
async function serveRole(cluster: Cluster): Promise<number> {
  const server = createHttpServer(async (_request, response) => {
    response.writeHead((await isPrimary(cluster)) ? 200 : 503).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  undoLater(() => new Promise((closed) => server.close(closed)));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** False as well while it does not answer. */
export async function isPrimary({ url }: Pick<Cluster, 'url'>): Promise<boolean> {
  const rows = await query<{ readonly is: boolean }>(url, 'select not pg_is_in_recovery() as is').catch(
    () => [],
  );
  return rows[0]?.is === true;
}

export async function makeDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'handover-failover-'));
  await chmod(directory, 0o755);
  await run('chown', ['postgres', directory]);
  undoLater(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  return directory;
}

/** The newest version that Debian has installed. */
function program(name: string): string {
  return findOne(`/usr/lib/postgresql/*/bin/${name}`);
}

function findOne(pattern: string): string {
  const found = globSync(pattern).sort().at(-1);
  if (found === undefined) throw new Error(`There is no ${pattern}`);
  return found;
}

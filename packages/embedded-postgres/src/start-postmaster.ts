import { open, rename, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { removeStalePostmasterFile } from './find-embedded-postgres.ts';
import { runProgram } from './programs.ts';

export type Settings = Readonly<Record<string, string>>;

/** For one small machine that PostgreSQL shares with the program that uses it. */
const SETTINGS: Settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  max_wal_size: '512MB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The program gets the errors of its statements; in this log they would only copy buyers' data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
};

const LOG_LIMIT = 10 * 1024 * 1024;

/** Starts the server on a free port and waits until it is ready. Returns the port. */
export async function startPostmaster(
  cluster: Cluster,
  settings: Settings = {},
  choosePort: () => Promise<number> = findFreePort,
): Promise<number> {
  await removeStalePostmasterFile(cluster.data);
  await keepLogSmall(cluster.log);
  let complaint = '';
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const port = await choosePort();
    const logged = await sizeOf(cluster.log);
    const { code, output } = await runProgram(cluster.programs, 'pg_ctl', [
      'start',
      `--pgdata=${cluster.data}`,
      `--log=${cluster.log}`,
      '--wait',
      // Recovery after a crash may take long.
      '--timeout=3600',
      `--options=${toOptions({ ...SETTINGS, ...settings, port: String(port) })}`,
    ]);
    if (code === 0) return port;

    complaint = (await readFrom(cluster.log, logged)) || output;
    if (/could not create any TCP\/IP sockets/.test(complaint)) continue;
    // Children of a killed postmaster end within moments.
    if (!/pre-existing shared memory block/.test(complaint)) break;
    await sleep(500);
  }
  throw new EmbeddedPostgresError(
    'DATABASE_DID_NOT_START',
    `PostgreSQL did not start in ${cluster.directory}. Fix what its log (${cluster.log}) reports, then start again:\n` +
      complaint.slice(-2000),
  );
}

export async function findFreePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const server = createServer().on('error', reject);
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
  });
  return promise;
}

/** pg_ctl passes these to a shell, so only words that need no quotes are allowed. */
function toOptions(settings: Settings): string {
  return Object.entries(settings)
    .map(([name, value]) => {
      if (!/^\w+=[\w.,:+-]*$/.test(`${name}=${value}`))
        throw new TypeError(`Setting with odd letters: ${name}`);
      return `-c ${name}=${value}`;
    })
    .join(' ');
}

async function keepLogSmall(log: string): Promise<void> {
  if ((await sizeOf(log)) > LOG_LIMIT) await rename(log, `${log}.old`);
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => null))?.size ?? 0;
}

async function readFrom(file: string, offset: number): Promise<string> {
  const handle = await open(file).catch(() => null);
  if (handle === null) return '';
  try {
    const length = Math.max(0, (await handle.stat()).size - offset);
    const { buffer } = await handle.read({ buffer: Buffer.alloc(length), position: offset });
    return buffer.toString('utf8').trim();
  } finally {
    await handle.close();
  }
}

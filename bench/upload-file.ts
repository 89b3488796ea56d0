// A large file through `product upload`, the server killed at 10, 50 and 99 %: is it the same file, and how much memory
// did it take? npm run bench -- upload-file [megabytes]
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { hashFile } from '../packages/adapters-files/src/disk-file.ts';
import { findEmbeddedPostgres } from '../packages/embedded-postgres/src/index.ts';
import { query } from '../test/query.ts';
import { readStartCommand } from '../test/start-command.ts';
import { readMemory } from './read-memory.ts';
import { type ServerProcess, startServer } from './speed/server-process.ts';

const SIZE = Number(process.argv[3] ?? 3000) * 1_000_000;
// Once: it builds what has changed, and the client does not wait for that.
const command = readStartCommand();
const directory = await mkdtemp(join(tmpdir(), 'handover-bench-'));
const dataDir = join(directory, 'data');
const file = join(directory, 'felt-piano.zip');

await mkdir(dataDir);
let server = await start('0');
try {
  const sha256 = await makeFile();
  const { orgId, productId } = await readCatalogue();
  const staged = join(dataDir, 'files', '.staged');
  console.log(`${SIZE / 1e6} MB; the server stands at ${await server.memory('VmRSS')} MB`);
  const began = performance.now();
  const upload = spawnCommand([
    'product',
    'upload',
    '--org',
    orgId,
    '--product',
    productId,
    '--version',
    '9.0',
    file,
  ]);
  const ended = new Promise<number | null>((resolve) => upload.once('exit', resolve));
  const port = new URL(server.url).port;
  for (const percent of [10, 50, 99]) {
    while ((await bytesIn(staged)) < (SIZE * percent) / 100) await pause(5);
    const at = await bytesIn(staged);
    const peak = await server.memory('VmHWM');
    process.kill(server.pid, 'SIGKILL');
    console.log(`killed at ${((at / SIZE) * 100).toFixed(1)} %; its peak was ${peak} MB`);
    server = await start(port);
  }
  const client = await readMemory(upload.pid, 'VmHWM');
  if ((await ended) !== 0) throw new Error('The upload failed.');
  const seconds = (performance.now() - began) / 1000;
  const stored = join(dataDir, 'files', orgId, sha256.slice(0, 2), sha256);
  const same = (await hashFile(stored)).sha256 === sha256;
  console.log(
    `${same ? 'byte for byte the same' : 'NOT THE SAME'} after ${seconds.toFixed(0)} s; ` +
      `peak of the last server ${await server.memory('VmHWM')} MB, of the command ${client} MB`,
  );
  if (!same) process.exitCode = 1;
} finally {
  await server.stop();
  await rm(directory, { recursive: true, force: true });
}

function start(port: string): Promise<ServerProcess> {
  return startServer({ DATA_DIR: dataDir, PORT: port }, join(directory, 'server.log'), command);
}

function spawnCommand(words: readonly string[]): ChildProcess {
  return spawn(process.execPath, [...command.args, ...words], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

/** The demo shop is set up soon after the server listens. */
async function readCatalogue(): Promise<{ readonly orgId: string; readonly productId: string }> {
  for (;;) {
    const [product] = await query<{ orgId: string; productId: string }>(
      (await findEmbeddedPostgres(join(dataDir, 'postgres'))) ?? '',
      'select org_id as "orgId", id as "productId" from products limit 1',
    );
    if (product) return product;
    await pause(200);
  }
}

async function makeFile(): Promise<string> {
  const hash = createHash('sha256');
  const block = createHash('sha512');
  async function* content(): AsyncGenerator<Buffer> {
    for (let done = 0; done < SIZE; ) {
      const chunk = Buffer.alloc(
        Math.min(1_000_000, SIZE - done),
        block.update(String(done)).copy().digest(),
      );
      done += chunk.length;
      hash.update(chunk);
      yield chunk;
    }
  }
  await pipeline(Readable.from(content()), createWriteStream(file));
  return hash.digest('hex');
}

async function bytesIn(staged: string): Promise<number> {
  const names = (await readdir(staged).catch(() => [])).filter((name) => !/\.(json|completed)$/.test(name));
  return names[0] === undefined ? 0 : (await stat(join(staged, names[0]))).size;
}

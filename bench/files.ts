// How fast one large file is sent, alone and beside very many slow readers, next to nginx with the same file; and how
// much memory the slow readers take:
// npm run bench -- files [--megabytes N] [--readers N].
// Needs curl and nginx.
import { execFile } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { formatRequest } from './speed/make-orders.ts';
import { printMetric, printNote, printRatio } from './speed/metrics.ts';
import { inWorld } from './speed/open-world.ts';
import { readOptions } from './speed/read-options.ts';
import { sellFile } from './speed/sell-file.ts';
import { isNginxThere, startNginx } from './speed/start-nginx.ts';

const TRIES = 3;
const READS_EVERY_MS = 500;
const READERS_WITHIN_MS = 60_000;
const READERS_SETTLE_MS = 3_000;
const { megabytes, readers } = readOptions({ megabytes: 1000, readers: 1000 });

if (!isNginxThere()) {
  console.error('There is no nginx to compare with. Install it, so that it is found by its name.');
  process.exit(1);
}
await inWorld({ shops: 1 }, async (world) => {
  const server = world.server();
  const { url, sha256 } = await sellFile(world, megabytes);
  const nginx = await startNginx(world.directory, join(world.directory, 'files'));
  const copy = `${nginx.url}/${world.shop.orgId}/${sha256.slice(0, 2)}/${sha256}`;
  try {
    await measureSpeed(copy);
    const alone = await measureSpeed(copy);
    printRatio('one large file', await measureSpeed(url), alone, ' MB/s', { atLeast: 0.8 });
    const beside = await besideSlowReaders(copy, () => measureSpeed(copy));
    const before = await server.memory('VmRSS');
    await server.forgetPeak();
    const ours = await besideSlowReaders(url, () => measureSpeed(url));
    printRatio(`one large file beside ${readers} slow readers`, ours, beside, ' MB/s', { atLeast: 0.8 });
    const peak = await server.memory('VmHWM');
    printMetric(`memory on top of ${before} MB`, peak - before, ' MB', { atMost: 150 });
  } finally {
    await nginx.close();
  }
});

/** The best of a few, in megabytes per second. */
async function measureSpeed(url: string): Promise<number> {
  let most = 0;
  for (let tried = 0; tried < TRIES; tried += 1) {
    const words = ['-sS', '--fail', '-o', '/dev/null', '-w', '%{speed_download}', url];
    const { stdout } = await promisify(execFile)('curl', words);
    most = Math.max(most, Number(stdout) / 1e6);
  }
  return most;
}

/** Each reads a piece from time to time; the rest waits in buffers. */
async function besideSlowReaders<T>(url: string, work: () => Promise<T>): Promise<T> {
  const { hostname, port, pathname } = new URL(url);
  const request = formatRequest('GET', pathname, {});
  const sockets: Socket[] = [];
  let begun = 0;
  for (let number = 0; number < readers; number += 1) {
    const socket = connect(Number(port), hostname, () => socket.write(request));
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.once('data', (piece: Buffer) => {
      if (piece.toString('latin1', 0, 12) === 'HTTP/1.1 200') begun += 1;
    });
    socket.on('data', () => {
      socket.pause();
      setTimeout(() => socket.resume(), READS_EVERY_MS);
    });
  }
  try {
    const until = performance.now() + READERS_WITHIN_MS;
    while (begun < readers && performance.now() < until) await pause(20);
    if (begun < readers) printNote(`only ${begun} of ${readers} slow readers were answered by ${url}`);
    await pause(READERS_SETTLE_MS);
    return await work();
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

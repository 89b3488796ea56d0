import { once } from 'node:events';
import { mkdir, readFile, rename, rmdir } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { findEmbeddedPostgres } from '@handover/embedded-postgres';
import { expect, it, onTestFinished } from 'vitest';
import { shareInFile } from '../../../test/undo.ts';
import { makePreparedDataDir } from './support/prepared-data-dir.ts';
import { startServer } from './support/server-process.ts';

/** A client that sends this text and nothing more. */
async function sayOnly(url: string, words: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  // It sees the close only after it has read the server's answer.
  socket.resume();
  onTestFinished(() => {
    socket.destroy();
  });
  await once(socket, 'connect');
  if (words !== '') socket.write(words);
  return socket;
}

const directory = shareInFile(async () => ({ path: await makePreparedDataDir() }));

it('silent clients, and clients that stop in the middle of a head or a body, do not block the stop of the server and its database', async () => {
  const dataDir = directory().path;
  const server = await startServer({ DATA_DIR: dataDir });
  await server.waitForLine(/Ctrl-C stops/);
  const sockets = await Promise.all(
    [
      '',
      'GET /healthz HTTP/1.1\r\nHost: x\r\n',
      'POST /webhooks/x/storefront-a HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{',
    ].map((words) => sayOnly(server.url, words)),
  );
  const closed = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
  const began = Date.now();
  expect(await server.end('SIGTERM')).toBe(0);
  expect(Date.now() - began).toBeLessThan(45_000);
  await Promise.all(closed);
  expect(await findEmbeddedPostgres(`${dataDir}/postgres`)).toBeNull();
});

it('an embedded database that is killed ends the server, with the reason', async () => {
  const dataDir = directory().path;
  const server = await startServer({ DATA_DIR: dataDir });
  await server.waitForLine(/Ctrl-C stops/);
  const [pid = ''] = (await readFile(`${dataDir}/postgres/data/postmaster.pid`, 'utf8')).split('\n');
  process.kill(Number(pid), 'SIGKILL');
  await server.waitForLine(/the embedded database has ended by itself/);
  expect(await server.ended()).toBe(1);
  const again = await startServer({ DATA_DIR: dataDir });
  await again.waitForLine(/Ctrl-C stops/);
});

it('a look at the embedded database that fails, such as for want of file handles, ends nothing', async () => {
  const dataDir = directory().path;
  const server = await startServer({ DATA_DIR: dataDir });
  await server.waitForLine(/Ctrl-C stops/);
  const written = `${dataDir}/postgres/data/postmaster.pid`;
  await rename(written, `${written}.kept`);
  // Cannot be read as a file.
  await mkdir(written);
  await pause(5_000);
  await rmdir(written);
  await rename(`${written}.kept`, written);
  expect(server.printed()).not.toMatch(/stopping|has ended by itself/);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(await server.end('SIGTERM')).toBe(0);
});

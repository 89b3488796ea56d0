import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatRequest } from '../speed/make-orders.ts';
import { openConnection } from '../speed/raw-connection.ts';

const server = createServer(async (request, response) => {
  request.resume();
  if (request.url === '/busy') response.writeHead(503, { 'retry-after': '5', 'content-length': 0 }).end();
  else if (request.url === '/gone') request.socket.destroy();
  else if (request.url === '/last') response.writeHead(200, { connection: 'close' }).end('last');
  else {
    // In pieces, and chunked.
    response.write('one');
    await pause(1);
    response.end('two');
  }
});
let url = '';

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

test('reads each answer to its end, on a connection that it opens again when it was closed', async () => {
  const connection = openConnection(url);
  const statuses: number[] = [];
  for (const path of ['/pieces', '/busy', '/gone', '/last', '/pieces'])
    statuses.push((await connection.exchange(formatRequest('GET', path, {}))).status);
  expect(statuses).toEqual([200, 503, 0, 200, 200]);
  expect(await connection.exchange(formatRequest('GET', '/busy', {}))).toMatchObject({ retryAfterMs: 5000 });
  connection.close();
});

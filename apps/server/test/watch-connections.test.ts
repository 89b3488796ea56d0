import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished, vi } from 'vitest';
import { watchConnections } from '../src/serve/drain-server.ts';

it('a connection is not idle while its second request is answered, which came with the first', async () => {
  const waiting: ServerResponse[] = [];
  const server = createServer((request, response) => {
    response.once('close', () => closed.push(request.url));
    if (request.url === '/first') response.end('one');
    else waiting.push(response);
  });
  const closed: (string | undefined)[] = [];
  onTestFinished(() => void server.closeAllConnections());
  const connections = watchConnections(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const said = text(client);
  client.write(
    'GET /first HTTP/1.1\r\nHost: x\r\n\r\nGET /second HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  );
  await vi.waitUntil(() => closed.includes('/first') && waiting.length === 1);
  connections.endIdle();
  waiting[0]?.end('two');
  expect(await said).toMatch(/one.*two/s);
  server.close();
});

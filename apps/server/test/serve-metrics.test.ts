import { once } from 'node:events';
import { connect } from 'node:net';
import pino from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { serveMetrics } from '../src/serve/run-server.ts';

it('the metrics listener closes at once, although a client has not finished its request', async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  const endpoint = { token: null, read: async () => ({ contentType: 'text/plain', text: '' }) };
  const listener = await serveMetrics(endpoint, { host: '127.0.0.1', port: 0 }, log);
  const [, port = ''] = /127\.0\.0\.1:(\d+)/.exec(lines.join('')) ?? [];
  const client = connect(Number(port), '127.0.0.1');
  client.on('error', () => undefined);
  onTestFinished(() => void client.destroy());
  await once(client, 'connect');
  // Answered, so that the second request is certain to have begun.
  client.write('GET /metrics HTTP/1.1\r\nHost: a\r\n\r\nGET /metrics HTTP/1.1\r\n');
  await once(client, 'data');
  const began = performance.now();
  await listener.close();
  expect(performance.now() - began).toBeLessThan(20_000);
});

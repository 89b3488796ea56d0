import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createAnswerTally, describeAnswers, sendDelivery } from '../send-delivery.ts';

/** A server that does what the path says: answers with a status, hangs up before or within its answer, or is silent. */
async function startServer(): Promise<(path: string) => URL> {
  const server = createServer((request, response) => {
    request.resume();
    if (request.url === '/hangs-up') request.socket.destroy();
    else if (request.url === '/hangs-up-within') {
      response.writeHead(200, { 'content-length': '9' });
      response.write('half', () => request.socket.destroy());
    } else if (request.url !== '/is-silent') {
      response.statusCode = Number(request.url?.slice(1));
      response.end();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (path) => new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`);
}

it('counts requests by outcome, one metric a line', async () => {
  const at = await startServer();
  const tally = createAnswerTally();
  const request = { body: new Uint8Array([123, 125]), headers: {} };
  const send = async (path: string, timeoutMs: number) =>
    tally.add(await sendDelivery(at(path), request, timeoutMs));
  for (const path of ['200', '202', '503', '503', '401', 'hangs-up', 'hangs-up-within'])
    await send(path, 60_000);
  await send('is-silent', 50);
  expect(describeAnswers({ ...tally.counts(), acknowledged: 1 })).toEqual([
    'requests 8',
    'requests acknowledged 2',
    'requests without an answer 3',
    '  connection broken 2',
    '  timed out 1',
    'requests refused 3',
    '  status 401 1',
    '  status 503 2',
    'acknowledged 1',
  ]);
});

it('prints zeros for outcomes that did not occur', () => {
  expect(describeAnswers({ ...createAnswerTally().counts(), acknowledged: 0 })).toEqual([
    'requests 0',
    'requests acknowledged 0',
    'requests without an answer 0',
    '  connection broken 0',
    '  timed out 0',
    'requests refused 0',
    'acknowledged 0',
  ]);
});

import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { onTestFinished, vi } from 'vitest';
import { undoLater } from '../../../test/undo.ts';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';

export async function listen(app: FastifyInstance): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  // A browser opens connections in advance, and closing would wait for what never comes of them.
  undoLater(() => app.server.closeAllConnections());
  return (app.server.address() as AddressInfo).port;
}

export async function dial(port: number, lines: readonly string[]): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return socket;
}

/** Waits until a number has stopped moving: every buffer on the way is full. */
export async function untilSteady(count: () => number): Promise<void> {
  let last = -1;
  let still = 0;
  await vi.waitUntil(
    () => {
      still = count() === last ? still + 1 : 0;
      last = count();
      return still >= 10;
    },
    { interval: 20, timeout: WAIT_TIMEOUT_MS },
  );
}

export type Headers = Readonly<Record<string, string>>;

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: Headers;
  readonly body?: Uint8Array | string;
}

/** Sends a request as it is, and closes its connection. */
export async function sendOverWire(port: number, { method, path, headers = {}, body = '' }: Sent) {
  const length = headers['transfer-encoding'] ? {} : { 'content-length': Buffer.byteLength(body) };
  const sending = httpRequest({ port, method, path, headers: { ...length, ...headers }, agent: false });
  sending.on('error', () => undefined);
  sending.end(body);
  const [answer] = await once(sending, 'response');
  return {
    status: answer.statusCode as number,
    headers: answer.headers as Headers,
    body: await text(answer),
  };
}

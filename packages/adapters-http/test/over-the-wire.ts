import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { onTestFinished, vi } from 'vitest';
import { PATIENCE_MS } from '../../../test/patience.ts';

export async function listen(app: FastifyInstance): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  // A browser opens connections in advance, and closing would wait for what never comes of them.
  onTestFinished(() => app.server.closeAllConnections());
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
    { interval: 20, timeout: PATIENCE_MS },
  );
}

import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { undoLater } from '../../../../test/undo.ts';

export interface Gate {
  readonly url: string;
  /** Bytes that were forwarded to the server so far. */
  passed(): number;
  /** Resolves once the limit of bytes is reached. */
  shut(): Promise<void>;
  /** Breaks the waiting connections, with everything in flight. */
  breakOff(): void;
  /** Removes the limit. */
  open(): void;
}

/**
 * A proxy before a server that forwards a limited number of bytes, so that a test can act in the middle of a request.
 */
export async function startGate(target: string, allowed: number): Promise<Gate> {
  const { hostname, port } = new URL(target);
  const waiting = new Set<Socket>();
  const shut = Promise.withResolvers<void>();
  let limit = allowed;
  let passed = 0;
  const server = createServer((client) => {
    const onward = connect(Number(port), hostname);
    for (const [socket, other] of [
      [client, onward],
      [onward, client],
    ] as const) {
      socket.on('error', () => socket.destroy());
      socket.on('close', () => other.destroy());
    }
    onward.pipe(client);
    client.on('data', (chunk) => {
      passed += chunk.length;
      const more = onward.write(chunk);
      if (passed >= limit) {
        client.pause();
        waiting.add(client);
        shut.resolve();
      } else if (!more) {
        client.pause();
        onward.once('drain', () => client.resume());
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  undoLater(() => void server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed: () => passed,
    shut: () => shut.promise,
    breakOff: () => {
      for (const client of waiting) client.destroy();
      waiting.clear();
    },
    open: () => {
      limit = Infinity;
      for (const client of waiting) client.resume();
    },
  };
}

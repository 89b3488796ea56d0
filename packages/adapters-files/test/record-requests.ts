import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import { onTestFinished } from 'vitest';

export interface RecordedRequests {
  /** Reaches the same server. */
  readonly endpoint: string;
  /** The first line of every request. */
  readonly seen: readonly string[];
  /** How many connections the client has broken off. */
  broken(): number;
}

/** Stands before a server, passes everything on as it is, and notes what was asked. */
export async function recordRequests(target: string): Promise<RecordedRequests> {
  const { hostname, port } = new URL(target);
  const seen: string[] = [];
  let broken = 0;
  const server = createServer((client) => {
    const onward = connect(Number(port), hostname);
    client.on('data', (chunk) => {
      const [line] = chunk.toString('latin1', 0, 2000).split('\r\n');
      if (line && /^[A-Z]+ \/\S* HTTP\/1\.1$/.test(line)) seen.push(line);
    });
    client.on('close', () => {
      broken += 1;
      onward.destroy();
    });
    for (const socket of [client, onward]) socket.on('error', () => socket.destroy());
    onward.on('close', () => client.destroy());
    client.pipe(onward).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    broken: () => broken,
  };
}

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** A proxy before a database that can be cut, repaired, and stalled like a stopped process. */
export interface TcpProxy {
  readonly url: string;
  /** The number of connections so far. */
  taken(): number;
  /** Ends every connection, and refuses new ones. */
  cut(): Promise<void>;
  /** Keeps every connection open, accepts new ones, and forwards nothing. */
  stall(): void;
  /** Accepts new connections and forwards nothing on them. Existing ones continue. */
  stallNewcomers(): void;
  /** Forwards new connections. Stalled ones stay stalled, as after a gateway has dropped their state. */
  reroute(): void;
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** With `changeProcessIds`, clients receive other process ids than the server's, as behind a pooler. */
export async function startTcpProxy(
  databaseUrl: string,
  { changeProcessIds = false } = {},
): Promise<TcpProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let stalled = false;
  let taken = 0;
  const server = createServer((near) => {
    taken += 1;
    const far = connect(Number(target.port || 5432), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      if (from === far && changeProcessIds) from.pipe(createDisguise()).pipe(to);
      else from.pipe(to);
      if (stalled) from.pause();
    }
  });
  const listen = async (port: number): Promise<number> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const cut = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const port = await listen(0);
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    url: url.href,
    taken: () => taken,
    cut,
    stall: () => {
      stalled = true;
      for (const socket of sockets) socket.pause();
    },
    stallNewcomers: () => {
      stalled = true;
    },
    reroute: () => {
      stalled = false;
    },
    restore: async () => {
      stalled = false;
      for (const socket of sockets) socket.resume();
      if (!server.listening) await listen(port);
    },
    close: async () => {
      if (server.listening) await cut();
    },
  };
}

/** The message that tells a client its process id begins with its letter and its length. */
const BACKEND_KEY = Buffer.from([0x4b, 0, 0, 0, 12]);

function createDisguise(): Transform {
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      const at = chunk.indexOf(BACKEND_KEY);
      if (at >= 0) chunk.writeInt32BE(2_000_000_000, at + BACKEND_KEY.length);
      done(null, chunk);
    },
  });
}

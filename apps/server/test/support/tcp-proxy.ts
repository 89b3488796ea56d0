import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { undoLater } from '../../../../test/undo.ts';

export interface TcpProxy {
  readonly port: number;
  /** Cuts all connections and refuses new ones, like a stopped database. */
  goAway(): Promise<void>;
  /** Forwards nothing more, in silence, like a frozen host. */
  freeze(): void;
  comeBack(): Promise<void>;
}

/** A proxy between a program and its database, with network faults. */
export async function startTcpProxy(host: string, targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let frozen = false;
  let port = 0;
  const server = createServer((client) => {
    const target = connect(targetPort, host);
    for (const socket of [client, target]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    client.on('close', () => target.destroy());
    target.on('close', () => client.destroy());
    client.on('data', (chunk) => !frozen && target.write(chunk));
    target.on('data', (chunk) => !frozen && client.write(chunk));
  });
  const listen = async () => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  };
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  await listen();
  undoLater(async () => {
    cut();
    server.close();
  });
  return {
    get port() {
      return port;
    },
    goAway: async () => {
      const closed = once(server, 'close');
      server.close();
      cut();
      await closed;
    },
    freeze: () => {
      frozen = true;
    },
    comeBack: async () => {
      if (frozen) cut();
      frozen = false;
      if (!server.listening) await listen();
    },
  };
}

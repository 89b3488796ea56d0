import { startTcpProxy as startProxy } from '../../../../packages/simulation/src/network/tcp-proxy.ts';
import { undoLater } from '../../../../test/undo.ts';

export interface TcpProxy {
  /** That of the server, by way of the proxy. */
  readonly url: string;
  /** Cuts all connections and refuses new ones, like a stopped database. */
  goAway(): Promise<void>;
  /** Forwards nothing more, in silence, like a frozen host. */
  freeze(): void;
  comeBack(): Promise<void>;
}

/** A proxy between a program and a database or another server, with faults of whole hosts. */
export async function startTcpProxy(serverUrl: string): Promise<TcpProxy> {
  const proxy = await startProxy(serverUrl);
  undoLater(proxy.close);
  return {
    url: proxy.url,
    goAway: async () => {
      await proxy.refuse();
      proxy.cut('close');
    },
    freeze: () => {
      for (const direction of ['to-server', 'to-client'] as const) proxy.stall(direction);
    },
    comeBack: async () => {
      // What a frozen host held back is lost.
      proxy.cut('close');
      await proxy.heal();
    },
  };
}

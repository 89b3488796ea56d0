import { startTcpProxy as startProxy } from '../../../../packages/simulation/src/network/tcp-proxy.ts';
import { undoLater } from '../../../../test/undo.ts';

export interface TcpProxy {
  readonly port: number;
  /** Cuts all connections and refuses new ones, like a stopped database. */
  goAway(): Promise<void>;
  /** Forwards nothing more, in silence, like a frozen host. */
  freeze(): void;
  comeBack(): Promise<void>;
}

/** A proxy between a program and its database, with faults of whole hosts. */
export async function startTcpProxy(host: string, targetPort: number): Promise<TcpProxy> {
  const proxy = await startProxy(`tcp://${host}:${targetPort}`);
  undoLater(proxy.close);
  return {
    port: proxy.port,
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

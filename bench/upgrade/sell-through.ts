import { setTimeout as pause } from 'node:timers/promises';
import type { BenchOrder } from '../speed/make-orders.ts';
import { openConnection } from '../speed/raw-connection.ts';

const SELLERS = 4;
const PAUSE_MS = 20;

/** Shops that go on selling, to whichever servers take part, as a load balancer spreads them. */
export interface Load {
  join(url: string): void;
  /** Resolves once no request to it is under way. */
  leave(url: string): Promise<void>;
  /** The counts since the last call. */
  takeCounts(): LoadCounts;
  /** Ends the load. Returns the buyers whose orders were accepted. */
  finish(): Promise<readonly string[]>;
}

export interface LoadCounts {
  readonly accepted: number;
  /** Answered otherwise, or not at all. */
  readonly refused: readonly string[];
  readonly slowestMs: number;
}

export function startLoad(orders: Iterator<BenchOrder>): Load {
  const servers: string[] = [];
  const busy = new Map<string, number>();
  const buyers: string[] = [];
  let counts = { accepted: 0, refused: [] as string[], slowestMs: 0 };
  let turn = 0;
  let ended = false;
  const sell = async () => {
    const url = servers[turn++ % servers.length];
    const order = url === undefined ? null : orders.next();
    if (url === undefined || !order || order.done) return;
    busy.set(url, (busy.get(url) ?? 0) + 1);
    const began = performance.now();
    try {
      const connection = await openConnection(url);
      const { status } = await connection
        .exchange(order.value.makeRequest())
        .finally(() => connection.close());
      if (status === 200) {
        counts.accepted += 1;
        buyers.push(order.value.email);
      } else counts.refused.push(String(status));
    } catch (error) {
      counts.refused.push(String(error));
    }
    counts.slowestMs = Math.max(counts.slowestMs, performance.now() - began);
    busy.set(url, (busy.get(url) ?? 0) - 1);
  };
  const sellers = Array.from({ length: SELLERS }, async () => {
    while (!ended) {
      await sell();
      await pause(PAUSE_MS);
    }
  });
  return {
    join: (url) => void servers.push(url),
    leave: async (url) => {
      servers.splice(servers.indexOf(url), 1);
      while ((busy.get(url) ?? 0) > 0) await pause(PAUSE_MS);
    },
    takeCounts: () => {
      const taken = counts;
      counts = { accepted: 0, refused: [], slowestMs: 0 };
      return taken;
    },
    finish: async () => {
      ended = true;
      await Promise.all(sellers);
      return buyers;
    },
  };
}

import { setTimeout as pause } from 'node:timers/promises';
import type { BenchOrder } from '../../bench/speed/make-orders.ts';
import { openConnection } from '../../bench/speed/raw-connection.ts';

const SELLERS = 4;
const PAUSE_MS = 20;
const MAX_REPEATS = 5;
const DEFAULT_RETRY_MS = 1000;

interface Refusal {
  readonly text: string;
  readonly retryAfterMs: number | null;
}

/** Shops that go on selling, to whichever servers take part, as a load balancer spreads them. */
export interface Load {
  join(url: string): void;
  /** Resolves once no request to it is under way. */
  leave(url: string): Promise<void>;
  /** The counts since the last call. */
  takeCounts(): LoadCounts;
  /** Ends the load. Returns the buyers whose orders were accepted, and how many orders never were. */
  finish(): Promise<{ readonly buyers: readonly string[]; readonly lost: number }>;
}

export interface LoadCounts {
  /** At first, or when they were sent again. */
  readonly accepted: number;
  /** Orders that were answered otherwise at first, or not at all: when, by which server, after which time and with what. */
  readonly refused: readonly string[];
  readonly slowestMs: number;
}

export function startLoad(orders: Iterator<BenchOrder>): Load {
  const balancer = createBalancer();
  const buyers: string[] = [];
  let counts = { accepted: 0, refused: [] as string[], slowestMs: 0 };
  let ended = false;
  let lost = 0;
  /** Sends it once. Null: there is no server, or it was accepted. */
  const send = (order: BenchOrder): Promise<Refusal | null> =>
    balancer.withNext(async (url) => {
      const began = performance.now();
      const connection = await openConnection(url);
      const { status, retryAfterMs } = await connection
        .exchange(order.makeRequest())
        .finally(() => connection.close());
      const ms = Math.round(performance.now() - began);
      counts.slowestMs = Math.max(counts.slowestMs, ms);
      if (status === 200) {
        counts.accepted += 1;
        buyers.push(order.email);
        return null;
      }
      const text = `${new Date().toISOString()} ${url}: ${status || 'no answer'} after ${ms} ms`;
      return { text, retryAfterMs };
    });
  /** Like a shop, it sends a refused order again when it is told to. */
  const sell = async () => {
    const order = orders.next();
    if (order.done) return;
    let refusal = await send(order.value);
    if (refusal) counts.refused.push(refusal.text);
    for (let repeat = 0; refusal && repeat < MAX_REPEATS; repeat += 1) {
      await pause(refusal.retryAfterMs ?? DEFAULT_RETRY_MS);
      refusal = await send(order.value);
    }
    if (refusal) lost += 1;
  };
  const sellers = Array.from({ length: SELLERS }, async () => {
    while (!ended) {
      await sell();
      await pause(PAUSE_MS);
    }
  });
  return {
    join: balancer.join,
    leave: balancer.leave,
    takeCounts: () => {
      const taken = counts;
      counts = { accepted: 0, refused: [], slowestMs: 0 };
      return taken;
    },
    finish: async () => {
      ended = true;
      await Promise.all(sellers);
      return { buyers, lost };
    },
  };
}

/** The servers that take part, in turns, and the number of requests that each of them has. */
function createBalancer() {
  const servers: string[] = [];
  const busy = new Map<string, number>();
  let turn = 0;
  const count = (url: string, change: number) => busy.set(url, (busy.get(url) ?? 0) + change);
  return {
    join: (url: string): void => void servers.push(url),
    leave: async (url: string): Promise<void> => {
      servers.splice(servers.indexOf(url), 1);
      while ((busy.get(url) ?? 0) > 0) await pause(PAUSE_MS);
    },
    /** Null: there is no server. */
    withNext: async <Answer>(ask: (url: string) => Promise<Answer>): Promise<Answer | null> => {
      const url = servers[turn++ % servers.length];
      if (url === undefined) return null;
      count(url, 1);
      return ask(url).finally(() => count(url, -1));
    },
  };
}

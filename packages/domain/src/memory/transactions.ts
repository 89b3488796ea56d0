import type { Memory } from './memory.ts';

/** Runs the transactions on one memory one after the other, so that each sees the memory as if it were alone. */
export interface Transactions {
  /** Runs the work once no other transaction is under way. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** The same port; a call waits until the transaction that is under way has ended. Without one it runs at once. */
  isolate<Port extends object>(port: Port): Port;
}

/** Stores that share a memory share its transactions. */
export function transactionsOf(memory: Memory): Transactions {
  const known = opened.get(memory) ?? createTransactions();
  opened.set(memory, known);
  return known;
}

const opened = new WeakMap<Memory, Transactions>();

function createTransactions(): Transactions {
  let running: Promise<void> | null = null;

  const isolateMethod = (method: Method): Method => {
    if (method instanceof AsyncGeneratorFunction) {
      return async function* (...given) {
        while (running) await running;
        yield* method(...given) as AsyncIterable<unknown>;
      };
    }
    const later: Method = async (...given) => {
      // Several calls wait for one end, and the first of them may begin the next transaction. So nothing may come
      // between this look and the call.
      while (running) await running;
      return method(...given);
    };
    return (...given) => (running ? later(...given) : method(...given));
  };

  return {
    run: async (work) => {
      while (running) await running;
      const { promise, resolve } = Promise.withResolvers<void>();
      running = promise;
      try {
        return await work();
      } finally {
        running = null;
        resolve();
      }
    },
    isolate: (port) => {
      const methods = Object.entries(port as Readonly<Record<string, Method>>);
      return Object.fromEntries(
        methods.map(([name, method]) => [name, isolateMethod(method)]),
      ) as typeof port;
    },
  };
}

type Method = (...given: readonly unknown[]) => unknown;

const AsyncGeneratorFunction = async function* () {}.constructor as new () => unknown;

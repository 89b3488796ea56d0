import { type Memory, rememberMemory } from './memory.ts';

/** Runs transactions one after the other. */
export interface Transactions {
  /** Runs the work once no other transaction is running. If it fails, its changes are undone. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Runs a part of the running transaction. If it fails, the changes of this part are undone. */
  runWithin<Result>(work: () => Promise<Result>): Promise<Result>;
  /** The same port, whose calls wait until no transaction is running. */
  isolate<Port extends object>(port: Port): Port;
}

/** Stores that share a memory share its transactions. */
export function transactionsOf(memory: Memory): Transactions {
  const known = opened.get(memory) ?? createTransactions(memory);
  opened.set(memory, known);
  return known;
}

const opened = new WeakMap<Memory, Transactions>();

function createTransactions(memory: Memory): Transactions {
  let running: Promise<void> | null = null;

  const runWithin: Transactions['runWithin'] = async (work) => {
    const restore = rememberMemory(memory);
    try {
      return await work();
    } catch (error) {
      restore();
      throw error;
    }
  };

  const isolateMethod = (method: Method): Method => {
    if (method instanceof AsyncGeneratorFunction) {
      return async function* (...given) {
        while (running) await running;
        yield* method(...given) as AsyncIterable<unknown>;
      };
    }
    const later: Method = async (...given) => {
      // Several calls wait for the same transaction, and the first of them may begin the next one. So nothing may be awaited
      // between this check and the call.
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
        return await runWithin(work);
      } finally {
        running = null;
        resolve();
      }
    },
    runWithin,
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

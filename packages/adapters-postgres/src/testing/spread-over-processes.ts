import type { Stores } from '@handover/domain';

/**
 * The stores of several processes on one database, as one: each call is the next process's. What a test does at once is
 * then done by several of them, each with its own batches; in one process much of it would be done in turn, and the
 * test of a race could not fail. What a process remembers is its own: connections, and the claims of mails.
 */
export function spreadOverProcesses(processes: readonly [Stores, ...Stores[]]): Stores {
  let turn = 0;
  const next = (): Stores => {
    turn += 1;
    return processes[turn % processes.length] ?? processes[0];
  };
  const [first] = processes;
  const ports = Object.entries(first).map(([name, port]) => {
    if (typeof port === 'function' || REMEMBERING.has(name)) return [name, port];
    const spread = Object.keys(port).map((method) => [
      method,
      (...values: unknown[]) => callMethod(next(), name, method, values),
    ]);
    return [name, Object.fromEntries(spread)];
  });
  return Object.fromEntries(ports);
}

const REMEMBERING = new Set(['connections', 'outgoingEmails']);

type Callable = Readonly<Record<string, Readonly<Record<string, (...values: unknown[]) => unknown>>>>;

function callMethod(stores: Stores, port: string, method: string, values: unknown[]): unknown {
  return (stores as unknown as Callable)[port]?.[method]?.(...values);
}

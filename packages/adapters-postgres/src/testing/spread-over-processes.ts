import type { Stores } from '@handover/domain';

/**
 * The stores of several processes on one database, as one: each call goes to the next process. So concurrent calls of
 * a test run in several processes, each with its own batches; in one process many of them would run one after the
 * other, and the test of a race could not fail. Each process has its own caches: connections, and the claims of
 * mails.
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

import { DomainError, type Stores } from '@handover/domain';
import { ProcessDied, type SimulatedProcess } from './process.ts';
import { rememberByKey } from './remember-by-key.ts';
import type { Scheduler } from './scheduler.ts';

/** Faults between a process and its ports. `is-done-twice`: the second answer counts. */
export const CALL_FAULTS = ['throws-before', 'throws-after', 'answers-late', 'is-done-twice'] as const;
export type Fault = (typeof CALL_FAULTS)[number];

export interface Network {
  /** The fault of this call, if any. */
  drawFault(call: string): Fault | null;
  /** The delay of a late answer, in milliseconds. */
  drawDelay(): number;
  /** Called for each call, for the trace. */
  note(process: SimulatedProcess, call: string, fault: Fault | null): void;
  /** Applies the call with these arguments, and observes it. */
  watch<Answer>(call: string, given: readonly unknown[], apply: () => Promise<Answer>): Promise<Answer>;
}

/**
 * The database as one process sees it. Each call takes a turn on the way there and one on the way back, with every
 * fault: the answer is late or lost, whether or not the call was applied, and a transaction ends when its process
 * dies.
 */
export function connectStores(
  stores: Stores,
  process: SimulatedProcess,
  scheduler: Scheduler,
  network: Network,
): Stores {
  const { inTransaction, ...ports } = stores;
  const connectWithin = rememberByKey((within: Stores) => connectStores(within, process, scheduler, network));
  const connected = Object.entries(ports).map(([name, port]) => [
    name,
    connectPort(name, port, process, scheduler, network),
  ]);
  return {
    ...(Object.fromEntries(connected) as typeof ports),
    inTransaction: (work) =>
      ask(process, scheduler, network, 'inTransaction', [], () =>
        inTransaction((within) => Promise.race([work(connectWithin(within)), process.death])),
      ) as ReturnType<typeof work>,
  };
}

/** Any port whose methods return promises or lists, as one process reaches it. */
export function connectPort<Port extends object>(
  name: string,
  port: Port,
  process: SimulatedProcess,
  scheduler: Scheduler,
  network: Network,
): Port {
  const methods = Object.entries(port as Readonly<Record<string, Method>>).map(([method, original]) => {
    const label = `${name}.${method}`;
    const call: Call = (given, work) => ask(process, scheduler, network, label, given, work);
    return [
      method,
      original instanceof AsyncGeneratorFunction ? eachRow(original, call) : once(original, call),
    ];
  });
  return Object.fromEntries(methods) as Port;
}

type Call = (given: readonly unknown[], work: () => Promise<unknown>) => Promise<unknown>;
type Method = (...given: readonly unknown[]) => unknown;

const AsyncGeneratorFunction = async function* () {}.constructor as new () => unknown;

function once(method: Method, call: Call): Method {
  return (...given) => call(given, async () => method(...given));
}

/** Lists are read in pages, so anything may happen between two rows. */
function eachRow(method: Method, call: Call): Method {
  return async function* (...given) {
    const rows = (method(...given) as AsyncIterable<unknown>)[Symbol.asyncIterator]();
    while (true) {
      const next = (await call(given, () => rows.next())) as IteratorResult<unknown>;
      if (next.done) return;
      yield next.value;
    }
  };
}

async function ask(
  process: SimulatedProcess,
  scheduler: Scheduler,
  network: Network,
  name: string,
  given: readonly unknown[],
  work: () => Promise<unknown>,
): Promise<unknown> {
  await scheduler.turn(process);
  const fault = network.drawFault(name);
  network.note(process, name, fault);
  if (fault === 'throws-before') throw new DomainError('store-unavailable', `${name}: the connection broke.`);
  const apply = () =>
    network.watch(name, given, work).catch((error: unknown) => {
      // A dead process continues with nothing: its task ends here.
      if (error instanceof ProcessDied) return scheduler.turn(process);
      throw error;
    });
  if (fault === 'is-done-twice') await apply();
  const answer = await apply();
  await (fault === 'answers-late' ? scheduler.sleep(process, network.drawDelay()) : scheduler.turn(process));
  if (fault === 'throws-after') throw new DomainError('store-unavailable', `${name}: the answer was lost.`);
  return answer;
}

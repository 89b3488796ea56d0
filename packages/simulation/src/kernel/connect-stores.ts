import { DomainError, type Stores } from '@handover/domain';
import { ProcessDied, type SimulatedProcess } from './process.ts';
import type { Scheduler } from './scheduler.ts';

/** What may go wrong between a process and whatever it asks. */
export type Fault = 'throws-before' | 'throws-after' | 'answers-late';

export interface Network {
  /** What goes wrong with this call, if anything. */
  drawFault(call: string): Fault | null;
  /** How late a late answer is, in milliseconds. */
  drawDelay(): number;
  /** Told of each call that was made, for the trace. */
  note(process: SimulatedProcess, call: string, fault: Fault | null): void;
}

/**
 * The database as one process sees it. Each call takes a turn on the way there and one on the way back, and what can go
 * wrong does: the answer is late or lost, whether or not the call was applied, and a transaction ends when its process dies.
 */
export function connectStores(
  stores: Stores,
  process: SimulatedProcess,
  scheduler: Scheduler,
  network: Network,
): Stores {
  const { asOne, ...ports } = stores;
  const call = (name: string, work: () => Promise<unknown>) => ask(process, scheduler, network, name, work);
  const connected = Object.entries(ports).map(([name, port]) => [name, connectPort(name, port, call)]);
  return {
    ...(Object.fromEntries(connected) as typeof ports),
    asOne: (work) =>
      call('asOne', () =>
        asOne((within) =>
          Promise.race([work(connectStores(within, process, scheduler, network)), process.death]),
        ),
      ) as ReturnType<typeof work>,
  };
}

type Call = (name: string, work: () => Promise<unknown>) => Promise<unknown>;
type Method = (...given: readonly unknown[]) => unknown;

function connectPort(name: string, port: object, call: Call): object {
  const methods = Object.entries(port as Readonly<Record<string, Method>>).map(([method, original]) => {
    const label = `${name}.${method}`;
    return [
      method,
      original instanceof AsyncGeneratorFunction
        ? eachRow(label, original, call)
        : once(label, original, call),
    ];
  });
  return Object.fromEntries(methods);
}

const AsyncGeneratorFunction = async function* () {}.constructor as new () => unknown;

function once(label: string, method: Method, call: Call): Method {
  return (...given) => call(label, async () => method(...given));
}

/** Lists come in pages, so anything may happen between two rows. */
function eachRow(label: string, method: Method, call: Call): Method {
  return async function* (...given) {
    const rows = (method(...given) as AsyncIterable<unknown>)[Symbol.asyncIterator]();
    while (true) {
      const next = (await call(label, () => rows.next())) as IteratorResult<unknown>;
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
  work: () => Promise<unknown>,
): Promise<unknown> {
  await scheduler.turn(process);
  const fault = network.drawFault(name);
  network.note(process, name, fault);
  if (fault === 'throws-before') throw new DomainError('store-unavailable', `${name}: the connection broke.`);
  const answer = await work().catch((error: unknown) => {
    // A process that is dead goes on with nothing: its task ends here.
    if (error instanceof ProcessDied) return scheduler.turn(process);
    throw error;
  });
  await (fault === 'answers-late' ? scheduler.sleep(process, network.drawDelay()) : scheduler.turn(process));
  if (fault === 'throws-after') throw new DomainError('store-unavailable', `${name}: the answer was lost.`);
  return answer;
}

import type { Clock, Ids } from '@handover/domain';
import type { Owner, Scheduler } from './scheduler.ts';

/** A process of the service. It may crash at any time, freeze, and have a wrong clock. */
export interface SimulatedProcess extends Owner {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly isAlive: boolean;
  /** Rejects when the process dies: its database connections are closed then. */
  readonly death: Promise<never>;
  die(): void;
  freeze(milliseconds: number): void;
  /** Sets the offset of its clock to the simulation's. */
  skewClock(milliseconds: number): void;
}

/** Each start of a process is a new process: `number` identifies it. */
export function startProcess(
  scheduler: Scheduler,
  { name, number, skewMs }: { readonly name: string; readonly number: number; readonly skewMs: number },
): SimulatedProcess {
  const { promise: death, reject } = Promise.withResolvers<never>();
  death.catch(() => undefined);
  let skew = skewMs;
  let isAlive = true;
  let frozenUntil = 0;
  let issued = 0;
  const now = () => scheduler.now() + skew;
  const process: SimulatedProcess = {
    name,
    clock: { now: () => new Date(now()) },
    ids: {
      next: () => {
        issued += 1;
        return formatId(now(), number, issued);
      },
    },
    death,
    get isAlive() {
      return isAlive;
    },
    get frozenUntil() {
      return frozenUntil;
    },
    die: () => {
      if (!isAlive) return;
      isAlive = false;
      scheduler.drop(process);
      reject(new ProcessDied(name));
    },
    freeze: (milliseconds) => {
      frozenUntil = Math.max(frozenUntil, scheduler.now() + milliseconds);
    },
    skewClock: (milliseconds) => {
      skew = milliseconds;
    },
  };
  return process;
}

/** The error of a transaction whose process has died. */
export class ProcessDied extends Error {
  readonly code = 'process-died';

  constructor(name: string) {
    super(`The process ${name} died.`);
  }
}

/** A UUIDv7: the time, then a unique part. Within one millisecond, the process that issued it decides the order. */
function formatId(time: number, process: number, count: number): string {
  const stamp = time.toString(16).padStart(12, '0');
  const low = process.toString(16).padStart(3, '0');
  return `${stamp.slice(0, 8)}-${stamp.slice(8)}-7${low.slice(0, 3)}-8000-${count.toString(16).padStart(12, '0')}`;
}

import type { Random } from './random.ts';

/** The owner of tasks: a process of the service, or the world around it. */
export interface Owner {
  readonly name: string;
  /** Tasks of a frozen owner continue at this time, in milliseconds of the simulation. */
  readonly frozenUntil: number;
}

/** A task that begins by itself when it is due, such as a worker that finds a job. */
export interface Source {
  /** When it can begin next; infinite if there is nothing to begin. */
  readyAt(): number;
  /** Begins a task, without waiting for it. */
  begin(): void;
}

/**
 * Decides which task continues next, and what time it is. Each `await` of a port is a turn here, so a seed alone
 * decides every order of events.
 */
export interface Scheduler {
  /** Milliseconds since the epoch, by the clock of the simulation. */
  now(): number;
  /** Resolves when the task continues; never, once its owner was dropped. */
  turn(owner: Owner): Promise<void>;
  sleep(owner: Owner, milliseconds: number): Promise<void>;
  /** All turns of this owner stay pending for ever: its process has died. */
  drop(owner: Owner): void;
  addSource(source: Source): void;
  /** From here on, random numbers come from this source. */
  reseed(random: Random): void;
  /** Advances the time, and runs everything that is due by then. */
  runFor(milliseconds: number): Promise<void>;
  /** Gives at most this many turns, and none to tasks that are due much later than now. */
  runTurns(count: number): Promise<void>;
}

/** The minimum time of a round trip to a port: no loop runs in zero time. */
const TURN_MS = 1;
const SOON_MS = 100;

interface Waiting {
  readonly owner: Owner;
  readonly at: number;
  readonly resume: () => void;
}

export function createScheduler(startAt: number, first: Random): Scheduler {
  let now = startAt;
  let random = first;
  let waiting: Waiting[] = [];
  const sources: Source[] = [];
  const dropped = new WeakSet<Owner>();

  const wait = (owner: Owner, at: number) =>
    new Promise<void>((resume) => {
      if (!dropped.has(owner)) waiting.push({ owner, at, resume });
    });

  /** Lets one task continue that may do so by `until`; false if there is none. The seed chooses which. */
  const goOn = (until: number): boolean => {
    const starts = sources.map((source) => source.readyAt());
    let soonest = Math.min(...starts);
    for (const task of waiting) soonest = Math.min(soonest, readyAt(task));
    if (soonest > until) return false;
    now = Math.max(now, soonest);
    let ready = 0;
    for (const task of waiting) if (readyAt(task) <= now) ready += 1;
    for (const start of starts) if (start <= now) ready += 1;
    let chosen = ready === 1 ? 0 : random.below(ready);
    const isChosen = (at: number) => at <= now && chosen-- === 0;
    const found = waiting.findIndex((task) => isChosen(readyAt(task)));
    if (found >= 0) {
      const [task] = waiting.splice(found, 1);
      task?.resume();
    } else sources[starts.findIndex(isChosen)]?.begin();
    return true;
  };

  return {
    now: () => now,
    turn: (owner) => wait(owner, now + TURN_MS),
    sleep: (owner, milliseconds) => wait(owner, now + milliseconds),
    drop: (owner) => {
      dropped.add(owner);
      waiting = waiting.filter((task) => task.owner !== owner);
    },
    addSource: (source) => {
      sources.push(source);
    },
    reseed: (other) => {
      random = other;
    },
    runFor: async (milliseconds) => {
      const until = now + milliseconds;
      await untilTasksWait();
      while (goOn(until)) await untilTasksWait();
      now = until;
    },
    runTurns: async (count) => {
      await untilTasksWait();
      for (let turn = 0; turn < count && goOn(now + SOON_MS); turn += 1) await untilTasksWait();
    },
  };
}

function readyAt({ owner, at }: Waiting): number {
  return Math.max(at, owner.frozenUntil);
}

/**
 * Resolves once every task has reached its next turn. Nothing here waits for the machine, so tasks continue in
 * microtasks, and Node runs the next tick when no microtask is left.
 */
function untilTasksWait(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

import type { Random } from './random.ts';

/** Whoever has tasks under way: a process of the service, or the world around it. */
export interface Owner {
  readonly name: string;
  /** Tasks of a frozen owner go on at this time, in milliseconds of the simulation. */
  readonly frozenUntil: number;
}

/** Something that begins by itself when its time has come, such as a worker that finds a job. */
export interface Source {
  /** When it can begin next; infinite while there is nothing to begin. */
  readyAt(): number;
  /** Begins a task. It is not waited for. */
  begin(): void;
}

/**
 * Decides which of all tasks goes on next, and what time it is. Each `await` of a port is a turn here, so a seed decides
 * every order of events, and nothing else does.
 */
export interface Scheduler {
  /** Milliseconds since the epoch, by the clock of the simulation. */
  now(): number;
  /** Resolves when the task goes on; never, once its owner was dropped. */
  turn(owner: Owner): Promise<void>;
  sleep(owner: Owner, milliseconds: number): Promise<void>;
  /** Whatever waits for a turn of this owner waits for ever: its process has died. */
  drop(owner: Owner): void;
  addSource(source: Source): void;
  /** From here on, chance is drawn from this source. */
  reseed(random: Random): void;
  /** Lets time pass, and all happen that is due by then. */
  runFor(milliseconds: number): Promise<void>;
  /** Gives at most so many turns, and none to what is due much later than now. */
  runTurns(count: number): Promise<void>;
}

/** How long a way to a port and back takes, at least: nothing goes round and round in no time. */
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
  const readyAt = ({ owner, at }: Waiting) => Math.max(at, owner.frozenUntil);

  /** Lets one task go on that may do so by `until`; false when there is none. */
  const goOn = async (until: number): Promise<boolean> => {
    let soonest = Number.POSITIVE_INFINITY;
    for (const task of waiting) soonest = Math.min(soonest, readyAt(task));
    for (const source of sources) soonest = Math.min(soonest, source.readyAt());
    if (soonest > until) return false;
    now = Math.max(now, soonest);
    const tasks = waiting.filter((task) => readyAt(task) <= now);
    const starts = sources.filter((source) => source.readyAt() <= now);
    const chosen = random.below(tasks.length + starts.length);
    const task = tasks[chosen];
    if (task) {
      waiting.splice(waiting.indexOf(task), 1);
      task.resume();
    } else starts[chosen - tasks.length]?.begin();
    await untilTasksWait();
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
      while (await goOn(until));
      now = until;
    },
    runTurns: async (count) => {
      await untilTasksWait();
      for (let turn = 0; turn < count; turn += 1) if (!(await goOn(now + SOON_MS))) return;
    },
  };
}

/** A round of the event loop: by its end all that could go on without a turn has come to its next one. */
function untilTasksWait(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

import type { Owner, Scheduler } from '../kernel/scheduler.ts';

/** Plays one event after the other: turns are given at once, and the time moves only on request. */
export interface SequentialScheduler extends Scheduler {
  moveTo(time: number): void;
  /** When the first sleeping task continues; infinite if there is none. */
  nextWakeAt(): number;
  /** Moves to that time, and lets it continue. */
  wakeNext(): void;
}

interface Sleeper {
  readonly owner: Owner;
  readonly at: number;
  readonly resume: () => void;
}

export function createSequentialScheduler(startAt: number): SequentialScheduler {
  let now = startAt;
  let sleepers: readonly Sleeper[] = [];
  const dropped = new WeakSet<Owner>();

  const first = (): Sleeper | undefined =>
    sleepers.reduce<Sleeper | undefined>(
      (soonest, other) => (soonest && soonest.at <= other.at ? soonest : other),
      undefined,
    );
  const moveTo = (time: number): void => {
    now = Math.max(now, time);
  };
  return {
    now: () => now,
    turn: (owner) => (dropped.has(owner) ? new Promise(() => undefined) : Promise.resolve()),
    sleep: (owner, milliseconds) =>
      new Promise((resume) => {
        if (!dropped.has(owner)) sleepers = [...sleepers, { owner, at: now + milliseconds, resume }];
      }),
    drop: (owner) => {
      dropped.add(owner);
      sleepers = sleepers.filter((sleeper) => sleeper.owner !== owner);
    },
    moveTo,
    nextWakeAt: () => first()?.at ?? Number.POSITIVE_INFINITY,
    wakeNext: () => {
      const next = first();
      if (!next) return;
      sleepers = sleepers.filter((sleeper) => sleeper !== next);
      moveTo(next.at);
      next.resume();
    },
    addSource: () => undefined,
    reseed: () => undefined,
    runFor: async (milliseconds) => moveTo(now + milliseconds),
    runTurns: async () => undefined,
  };
}

import { continueBulk, type DueJob, type JobAnswer, runJob } from '@handover/domain';
import type { SimulatedProcess } from '../kernel/process.ts';
import { isExpected } from './expected-errors.ts';
import type { ProcessSlot, World } from './open-world.ts';
import { runMaintenance, type Service } from './service.ts';

/** Small pages of bulk actions, so that much can happen between two. */
const BULK_PAGE = 2;

export function runAnyJob(service: Service, job: DueJob): Promise<JobAnswer> {
  return job.kind === 'run-bulk-action' ? continueBulk(service, job, BULK_PAGE) : runJob(service, job);
}

/** The number of concurrent jobs of one process. */
const JOBS_AT_ONCE = 3;

/** Lets the processes in these slots run jobs, including their replacements. */
export function addWorkers(world: World, slots: readonly ProcessSlot[]): void {
  const { scheduler, queue } = world;
  const running = new WeakMap<SimulatedProcess, number>();
  const count = ({ process }: ProcessSlot) => running.get(process) ?? 0;
  const add = (process: SimulatedProcess, change: 1 | -1) =>
    running.set(process, (running.get(process) ?? 0) + change);
  const freeAt = () => {
    let soonest = Number.POSITIVE_INFINITY;
    for (const slot of slots) {
      if (count(slot) < JOBS_AT_ONCE) soonest = Math.min(soonest, slot.process.frozenUntil);
    }
    return soonest;
  };
  scheduler.addSource({
    readyAt: () => Math.max(queue.nextAt(scheduler.now()), freeAt()),
    begin: () => {
      const now = scheduler.now();
      const free = slots.filter((slot) => count(slot) < JOBS_AT_ONCE && slot.process.frozenUntil <= now);
      const slot = free[world.random.below(free.length)];
      const claimed = slot && queue.claim(slot.process, now, (jobs) => world.random.below(jobs));
      if (!claimed) return;
      const { process, service } = slot;
      add(process, 1);
      world.begun += 1;
      world.trace.note(`${process.name} does ${claimed.job.kind}`);
      world.trace.count(`job: ${claimed.job.kind}`);
      runAnyJob(service, claimed.job)
        .then((answer) => {
          if (answer === 'done') claimed.complete();
          else if (answer === 'later') claimed.fail(scheduler.now());
          else claimed.postpone(answer.again, scheduler.now());
        })
        .catch((error: unknown) => {
          if (!isExpected(error))
            world.failure ??= new Error(`A job failed: ${String(error)}`, { cause: error });
          claimed.fail(scheduler.now());
        })
        .finally(() => add(process, -1));
    },
  });
}

/** The server does so every minute. Here every five minutes is enough, or long waits would consist of nothing else. */
const MAINTENANCE_EVERY_MS = 5 * 60_000;
/** While nothing else begins, only time makes something overdue, and the pauses grow up to this. */
const MAX_MAINTENANCE_PAUSE_MS = 60 * 60_000;

/** One of the workers runs maintenance for all of them from time to time. */
export function addMaintenance(world: World, workers: readonly ProcessSlot[]): void {
  const { scheduler } = world;
  let next = scheduler.now();
  let pause = MAINTENANCE_EVERY_MS;
  let begun = world.begun;
  scheduler.addSource({
    readyAt: () => Math.max(next, Math.min(...workers.map(({ process }) => process.frozenUntil))),
    begin: () => {
      const awake = workers.filter(({ process }) => process.frozenUntil <= scheduler.now());
      const slot = awake[world.random.below(awake.length)];
      if (!slot) return;
      pause = begun === world.begun ? Math.min(2 * pause, MAX_MAINTENANCE_PAUSE_MS) : MAINTENANCE_EVERY_MS;
      begun = world.begun;
      next = scheduler.now() + pause;
      runMaintenance(slot.service).catch((error: unknown) => {
        if (!isExpected(error))
          world.failure ??= new Error(`Maintenance failed: ${String(error)}`, { cause: error });
      });
    },
  });
}

import { runJob } from '@handover/domain';
import { isExpected, type ProcessSlot, type World } from './open-world.ts';
import { runMaintenance } from './service.ts';

/** At once, so many jobs are done by one process. */
const JOBS_AT_ONCE = 3;

/** Lets the process in this slot do jobs, and each that is started in its place. */
export function addWorker(world: World, slot: ProcessSlot): void {
  const { scheduler, queue } = world;
  let running = 0;
  let of = slot.process;
  const isRestarted = () => {
    if (of === slot.process) return;
    of = slot.process;
    running = 0;
  };
  scheduler.addSource({
    readyAt: () => {
      isRestarted();
      if (running >= JOBS_AT_ONCE) return Number.POSITIVE_INFINITY;
      return Math.max(queue.nextAt(scheduler.now()), slot.process.frozenUntil);
    },
    begin: () => {
      const { process, service } = slot;
      const claimed = queue.claim(process, scheduler.now(), (count) => world.random.below(count));
      if (!claimed) return;
      running += 1;
      world.begun += 1;
      world.trace.note(`${process.name} does ${claimed.job.kind}`);
      runJob(service, claimed.job)
        .then((answer) =>
          answer === 'done' ? claimed.complete() : claimed.postpone(answer.again, scheduler.now()),
        )
        .catch((error: unknown) => {
          if (!isExpected(error))
            world.failure ??= new Error(`A job failed: ${String(error)}`, { cause: error });
          claimed.fail(scheduler.now());
        })
        .finally(() => {
          if (process === of) running -= 1;
        });
    },
  });
}

/** The server does so every minute. What is overdue is so after five, and long waits would be nothing but this. */
const MAINTENANCE_EVERY_MS = 5 * 60_000;
/** While nothing else begins, time alone makes something overdue, and the pauses grow up to this. */
const MAX_MAINTENANCE_PAUSE_MS = 60 * 60_000;

/** Maintenance is done now and then by one of the workers for all of them. */
export function addMaintenance(world: World): void {
  const { scheduler } = world;
  const workers = world.slots.filter(({ role }) => role === 'worker');
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

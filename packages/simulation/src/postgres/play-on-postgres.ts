import type { Job, JobAnswer } from '@handover/domain';
import type { History, Step } from '../history.ts';
import { createRandom } from '../kernel/random.ts';
import type { Played } from '../play.ts';
import { LIVENESS_RULES } from '../rules/liveness.ts';
import { findBrokenRule, SAFETY_RULES } from '../rules/safety.ts';
import { isExpected } from '../world/expected-errors.ts';
import type { ProcessSlot } from '../world/open-world.ts';
import { runAnyJob } from '../world/run-workers.ts';
import { runMaintenance } from '../world/service.ts';
import { openPairedWorld, type PairedWorld } from './open-paired-world.ts';
import type { SimulatedPostgres } from './open-postgres.ts';

/**
 * After each step all rows are compared; with `pages`, also everything that ports and pages show, which is otherwise
 * compared at the end.
 */
export interface PairedPlay {
  readonly pages: boolean;
}

/**
 * Plays a history on PostgreSQL and in memory, one event after the other, and compares the two after each step. Stops
 * at a difference, or at a broken rule.
 */
export async function playOnPostgres(
  postgres: SimulatedPostgres,
  history: History,
  { pages }: PairedPlay,
): Promise<Played> {
  const paired = await openPairedWorld(postgres, history.seed);
  const { world } = paired;
  // In every second history connections break from the beginning, not only when a step says so.
  world.faultsPerMille = history.seed % 2 === 0 ? EARLY_FAULTS_PER_MILLE : 0;
  const sentences: string[] = [];
  const player = createPlayer(paired);
  const check = async (all: boolean): Promise<Error | null> => {
    if (world.failure) return world.failure;
    // Without a call to either, nothing has changed.
    const difference = all || paired.calls() > compared ? await paired.compare(all) : null;
    compared = paired.calls();
    if (difference !== null) return new Error(`The two differ: ${difference}.`);
    return findBrokenRule(world, SAFETY_RULES);
  };
  let failure: Error | null = null;
  let compared = 0;
  for (const step of history.steps) {
    sentences.push(await player.take(step));
    failure = await check(pages);
    if (failure) break;
  }
  if (!failure) {
    sentences.push('Faults end.');
    await player.heal();
    failure = (await check(true)) ?? findBrokenRule(world, LIVENESS_RULES);
  }
  return { sentences, failure, digest: world.trace.digest(), counts: world.trace.counts };
}

const EARLY_FAULTS_PER_MILLE = 60;

/** A longer sleep continues later, when it is due: for example a platform that waits before its retry. */
const WAIT_TIMEOUT_MS = 60_000;
const MAINTENANCE_EVERY_MS = 5 * 60_000;
/** The maximum number of events in one wait; the rest of it passes without any. */
const MAX_EVENTS = 12;
const MAX_JOBS = 40;
const MAX_PAUSE_MS = 300_000;

function createPlayer(paired: PairedWorld) {
  const { world, scheduler, begun } = paired;
  const worker = createWorker(paired);
  let nextMaintenance = scheduler.now();

  const maintain = async (): Promise<void> => {
    if (scheduler.now() < nextMaintenance) return;
    nextMaintenance = scheduler.now() + MAINTENANCE_EVERY_MS;
    await run(paired, 'Maintenance', () => runMaintenance(pick(world.slots, 'worker').service));
  };
  const wait = async (milliseconds: number): Promise<void> => {
    const until = scheduler.now() + milliseconds;
    for (let count = 0; count < MAX_EVENTS && !world.failure; count += 1) {
      const next = worker.next();
      const jobAt = next?.at ?? Number.POSITIVE_INFINITY;
      const at = Math.min(jobAt, scheduler.nextWakeAt());
      if (at > until) break;
      if (next && jobAt <= scheduler.nextWakeAt()) {
        scheduler.moveTo(jobAt);
        await worker.doJob(next);
      } else await run(paired, 'Going on', async () => scheduler.wakeNext());
    }
    scheduler.moveTo(until);
    await maintain();
    await worker.doDueJobs();
  };

  return {
    take: async ({ action, seed }: Step): Promise<string> => {
      world.random = createRandom(seed);
      world.pendingWait = 0;
      world.acting = action.name;
      world.trace.note(action.name);
      // No two events happen at the same time.
      scheduler.moveTo(scheduler.now() + 7);
      const sentence = action.begin(world);
      for (const { what, work } of begun.splice(0)) await run(paired, what, work);
      await worker.doDueJobs();
      if (world.pendingWait > 0) await wait(world.pendingWait);
      if (sentence !== null) world.trace.count(`action: ${action.name}`);
      return sentence ?? `There is nothing to which this could happen: ${action.name}.`;
    },
    heal: async (): Promise<void> => {
      world.faultsPerMille = 0;
      world.mailServer.setWeather('accepts');
      world.ofAnotherVersion.clear();
      for (let round = 0; round < 4; round += 1) await wait(45 * 60_000);
    },
  };
}

interface NextJob {
  readonly key: string;
  readonly job: Job;
  readonly at: number;
}

/** Runs the jobs of both stores, one after the other, with pauses after those that are to run again. */
function createWorker(paired: PairedWorld) {
  const { world, scheduler } = paired;
  const pauses = new Map<string, { readonly job: Job; readonly until: number; readonly failures: number }>();

  const readyAt = (key: string, job: Job): number => {
    const pause = pauses.get(key);
    return pause?.job === job ? pause.until : job.startAfter.getTime();
  };
  const next = (): NextJob | undefined =>
    [...world.memory.jobs]
      .map(([key, job]) => ({ key, job, at: readyAt(key, job) }))
      .sort((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1))[0];
  const doJob = async ({ key, job }: NextJob): Promise<void> => {
    world.trace.note(`does ${job.kind}`);
    world.trace.count(`job: ${job.kind}`);
    if (job.kind === 'send-email' && job.emailKind === 'alert') await paired.pairAlertMails();
    const { service } = pick(world.slots, 'worker');
    let answer: JobAnswer | 'failed' = 'failed';
    await run(paired, `A job (${job.kind})`, async () => {
      answer = await runAnyJob(service, job);
    });
    if ((answer as string) === 'done') {
      pauses.delete(key);
      await paired.finishJob(key, job);
      return;
    }
    const failures = 1 + (pauses.get(key)?.failures ?? 0);
    const until =
      typeof answer === 'object'
        ? Math.max((answer as { again: Date }).again.getTime(), scheduler.now())
        : scheduler.now() + Math.min(MAX_PAUSE_MS, 1000 * 2 ** failures);
    pauses.set(key, { job, until, failures });
  };
  const doDueJobs = async (): Promise<void> => {
    for (let count = 0; count < MAX_JOBS && !world.failure; count += 1) {
      const due = next();
      if (!due || due.at > scheduler.now()) return;
      await doJob(due);
    }
  };
  return { next, doJob, doDueJobs };
}

/** Runs a task until it is done, or sleeps for long. */
async function run(paired: PairedWorld, what: string, work: () => Promise<unknown>): Promise<void> {
  const { world, scheduler } = paired;
  let isDone = false;
  work()
    .catch((error: unknown) => {
      if (!isExpected(error))
        world.failure ??= new Error(`${what} failed: ${String(error)}`, { cause: error });
    })
    .finally(() => {
      isDone = true;
    });
  while (!(await isQuiet(paired, () => isDone))) {
    if (scheduler.nextWakeAt() > scheduler.now() + WAIT_TIMEOUT_MS) return;
    scheduler.wakeNext();
  }
}

/** Whether it is done, once no call is running and everything that could continue by itself has. */
async function isQuiet(paired: PairedWorld, isDone: () => boolean): Promise<boolean> {
  do {
    await paired.idle();
    await new Promise((resolve) => setImmediate(resolve));
  } while (paired.isBusy());
  return isDone();
}

function pick(slots: readonly ProcessSlot[], role: ProcessSlot['role']): ProcessSlot {
  const slot = slots.find((candidate) => candidate.role === role);
  if (!slot) throw new Error(`There is no ${role} process.`);
  return slot;
}

import type { Clock, Job, JobAnswer } from '@handover/domain';
import type pg from 'pg';
import type { Job as BossJob, PgBoss } from 'pg-boss';
import { JOB_KINDS, JOB_SCHEMA } from './queues.ts';
import type { QuietLog } from './quiet-log.ts';
import { isStoreUnavailable } from './store-errors.ts';

type JobOf<Kind extends Job['kind']> = Omit<Extract<Job, { readonly kind: Kind }>, 'kind' | 'startAfter'>;

/**
 * Whatever does the jobs must bear to do one twice: a process may die after the work and before it is noted.
 */
export type JobHandlers = { readonly [Kind in Job['kind']]: (job: JobOf<Kind>) => Promise<JobAnswer> };

export interface Workers {
  wake(jobs: readonly Job[]): void;
  /** Resolves once the jobs that run are done. */
  stop(): Promise<void>;
}

const WORKERS_PER_QUEUE = 8;
const LOOK_EVERY_MS = 500;
const REST_MS = 100;
const OUTAGE_REST_MS = 1_000;
const LONGEST_PAUSE_SECONDS = 300;
/** Two to this power is more than the longest pause, and no number that overflows. */
const MAX_DOUBLINGS = 10;

/** What a job says that was queued by a version that did not yet count. */
const NEVER_DECIDED = { attempts: 0 };

/**
 * One pg-boss worker does one job at a time, so each job is settled on its own, and sleeps after each look.
 * We say when to look instead: every half second one idle worker of each queue; at `wake` one; one more
 * whenever a worker has found a job; and the worker itself when it is done, until there is none left. So a
 * quiet queue costs two queries a second, and a full one keeps all of them busy.
 */
export async function createWorkers(
  boss: PgBoss,
  pool: pg.Pool,
  handlers: Partial<JobHandlers>,
  { log, clock }: Pick<Shared, 'log' | 'clock'>,
): Promise<Workers> {
  const kinds = JOB_KINDS.filter((kind) => handlers[kind]);
  let stopping = false;
  const shared: Shared = { boss, pool, log, clock, isStopping: () => stopping };
  const queues = await Promise.all(kinds.map((kind) => startQueue(shared, kind, handlers)));
  const timer = setInterval(() => {
    for (const { wakeOne } of queues) wakeOne();
  }, LOOK_EVERY_MS);
  return {
    wake: (jobs) => {
      const due = jobs.filter(({ startAfter }) => startAfter <= clock.now());
      for (const { kind, wakeOne } of queues) if (due.some((job) => job.kind === kind)) wakeOne();
    },
    stop: async () => {
      stopping = true;
      clearInterval(timer);
      await Promise.all(kinds.map((kind) => boss.offWork(kind, { wait: true })));
    },
  };
}

/** What the workers of all queues have in common. */
interface Shared {
  readonly boss: PgBoss;
  readonly pool: pg.Pool;
  readonly log: QuietLog;
  readonly clock: Clock;
  isStopping(): boolean;
}

async function startQueue(
  shared: Shared,
  kind: Job['kind'],
  handlers: Partial<JobHandlers>,
): Promise<{ readonly kind: Job['kind']; wakeOne(): void }> {
  const { boss, log, clock } = shared;
  const workers: { id: string; busy: boolean }[] = [];
  const wakeOne = (): void => {
    const idle = workers.find(({ busy }) => !busy);
    if (idle) boss.notifyWorker(idle.id);
  };
  const handle = handlers[kind] as (job: BossJob['data']) => Promise<JobAnswer>;
  for (let count = 0; count < WORKERS_PER_QUEUE; count += 1) {
    const worker = { id: '', busy: false };
    worker.id = await boss.work<object>(kind, { pollingIntervalSeconds: 60 }, async ([job]) => {
      if (!job) return;
      worker.busy = true;
      wakeOne();
      try {
        // A look that began before the stop may find something after it: another process may do that.
        const answer = shared.isStopping()
          ? { again: clock.now() }
          : await handle(kind === 'fulfil-delivery' ? { ...NEVER_DECIDED, ...job.data } : job.data);
        if (answer === 'later') {
          log.warn(`A job of ${kind} waits for a process that can do it; it is tried again`);
          await putOffFailed(shared, kind, job);
        } else if (answer !== 'done') await putOff(shared, kind, job, answer.again);
      } catch (error) {
        log.error(error);
        // An outage, like a death, says nothing about the job; should this not get through either, its heartbeat ends.
        if (!isStoreUnavailable(error)) await putOffFailed(shared, kind, job);
        else await putOff(shared, kind, job, new Date(clock.now().getTime() + OUTAGE_REST_MS));
      } finally {
        worker.busy = false;
        boss.notifyWorker(worker.id);
      }
    });
    workers.push(worker);
  }
  return { kind, wakeOne };
}

/**
 * pg-boss can put off a job that waits, not one that runs. So we do it as pg-boss itself does when a job has failed: the
 * next claim of it counts up, so what this worker still says of its own claim touches no other. If the job is no longer
 * this worker's, nothing happens. It rests for a moment at least: who is told to wait until a time that has come by the
 * database's clock, and not yet by his own, would otherwise ask without a pause until it has.
 */
async function putOff({ pool }: Shared, kind: Job['kind'], job: BossJob, startAfter: Date): Promise<void> {
  await pool.query(
    `update ${JOB_SCHEMA}.job
     set state = 'retry', heartbeat_on = null, output = null,
       start_after = greatest($4, now() + interval '${REST_MS} milliseconds')
     where ${HELD}`,
    [kind, job.id, job.retryCount, startAfter],
  );
}

/**
 * The pause doubles with each try in a row that came to nothing. Only these are counted, and in the job itself: pg-boss counts claims,
 * whatever ended them, so a job that was running in a few processes that died would wait for minutes as if it were broken.
 */
async function putOffFailed({ pool }: Shared, kind: Job['kind'], job: BossJob): Promise<void> {
  await pool.query(
    `update ${JOB_SCHEMA}.job
     set state = 'retry', heartbeat_on = null,
       output = jsonb_build_object('failures', ${FAILURES} + 1),
       start_after = now() + make_interval(
         secs => least(${LONGEST_PAUSE_SECONDS}, 2 ^ least(${MAX_DOUBLINGS}, ${FAILURES}) * (1 + random()))
       )
     where ${HELD}`,
    [kind, job.id, job.retryCount],
  );
}

const HELD = `name = $1 and id = $2 and state = 'active' and retry_count = $3`;

/** What pg-boss keeps of a death has no such number: then the count begins anew. */
const FAILURES = `coalesce((output->>'failures')::integer, 0)`;

import type { Clock, Job } from '@handover/domain';
import type { Kysely, Transaction } from 'kysely';
import { fromKysely, PgBoss } from 'pg-boss';
import { createPool, type Log } from './connect-database.ts';
import type { JobOutbox } from './job-outbox.ts';
import { JOB_KINDS, JOB_SCHEMA } from './queues.ts';
import { createQuietLog } from './quiet-log.ts';
import type { Schema } from './schema.ts';
import { asStoreError } from './store-errors.ts';
import { createWorkers, type JobHandlers, type Workers } from './workers.ts';

type QueueDatabase = ReturnType<typeof fromKysely>;

/** Jobs that outlive any crash. A process that never calls `start` only queues them. */
export interface JobQueue extends JobOutbox {
  /**
   * Begins to work on the kinds of jobs that have a handler, several at once. Rejects when the database has not been
   * migrated, or cannot be reached; then it can be started again.
   */
  start(handlers: Partial<JobHandlers>): Promise<void>;
  /** Takes no more jobs, and lets those that run finish; what takes too long is left to be done again. */
  stop(options?: { readonly withinMs?: number }): Promise<void>;
}

// Queue traffic has connections of its own, so that neither a busy pool keeps workers from their jobs nor the
// other way round. A transaction that queues a job for the first time looks the queue up here, too: on its
// own pool it could wait for a connection that others hold, who wait for the same.
const MAX_CONNECTIONS = 4;
const STOP_WITHIN_MS = 20_000;
const GIVE_BACK_WITHIN_MS = 5_000;

/** `clock` is the one that jobs' times were read from: best the database's, by which they are taken. */
export function createJobQueue({
  url,
  log,
  clock = { now: () => new Date() },
}: {
  readonly url: string;
  readonly log: Log;
  readonly clock?: Clock;
}): JobQueue {
  const pool = createPool({ url, max: MAX_CONNECTIONS, log });
  const quietLog = createQuietLog(log);
  const database: QueueDatabase = {
    executeSql: async (text, values) => {
      try {
        return await pool.query(text, values);
      } catch (error) {
        throw asStoreError(error);
      }
    },
  };
  const boss = new PgBoss({
    db: database,
    schema: JOB_SCHEMA,
    migrate: false,
    schedule: false,
    // A job of a dead process is found by its missing heartbeat, 10 seconds old at least, when somebody
    // looks.
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
    maintenanceIntervalSeconds: 10,
    // For jobs that wait for jobs. We have none.
    flowIntervalSeconds: 3600,
  });
  boss.on('error', (err) => quietLog.error(err));
  boss.on('warning', ({ message }) => quietLog.warn(message));
  let workers: Workers | null = null;
  let stopping: Promise<void> | null = null;

  return {
    enqueue: (trx, jobs) => enqueue(boss, trx, jobs),
    forget: async (trx, deliveryId) => {
      await boss.deleteJob('fulfil-delivery', deliveryId, { db: inTransaction(trx) });
    },
    findLost: (jobs) => findLost(database, jobs),
    wake: (jobs) => workers?.wake(jobs),
    start: async (handlers) => {
      try {
        await boss.start();
        workers = await createWorkers(boss, pool, handlers, { log: quietLog, clock });
      } catch (error) {
        // What was started of it must not go on beside another start.
        await boss.stop({ graceful: false, close: false }).catch(() => undefined);
        throw error;
      }
    },
    stop: ({ withinMs = STOP_WITHIN_MS } = {}) => {
      stopping ??= stop(withinMs);
      return stopping;
    },
  };

  async function stop(withinMs: number): Promise<void> {
    await within(withinMs, workers?.stop());
    workers = null;
    // Gives back the jobs that still run. A hung database must not keep the process from ending.
    await within(
      GIVE_BACK_WITHIN_MS,
      boss.stop({ graceful: false, close: false }).then(() => pool.end()),
    );
  }
}

async function enqueue(boss: PgBoss, trx: Transaction<Schema>, jobs: readonly Job[]): Promise<void> {
  const db = inTransaction(trx);
  for (const kind of JOB_KINDS) {
    const wanted = jobs.filter((job) => job.kind === kind).map(describeJob);
    if (wanted.length === 0) continue;
    const queued = new Set(await boss.insert(kind, wanted, { db, returnId: true }));
    // A job of that id is there: it may be running, and have seen the world before this transaction. So there
    // will be another one after it.
    const again = wanted
      .filter(({ id }) => !queued.has(id))
      .map((job) => ({ ...job, id: crypto.randomUUID() }));
    if (again.length > 0) await boss.insert(kind, again, { db });
  }
}

async function findLost(database: QueueDatabase, jobs: readonly Job[]): Promise<readonly Job[]> {
  const lost: Job[] = [];
  for (const kind of JOB_KINDS) {
    const wanted = jobs.filter((job) => job.kind === kind);
    if (wanted.length === 0) continue;
    const { rows } = await database.executeSql(
      `select coalesce(data->>'orgId', '') as org, ${SUBJECT} as subject from ${JOB_SCHEMA}.job
       where name = $1 and state in ('created', 'retry', 'active') and ${SUBJECT} = any($2::text[])`,
      [kind, wanted.map(subjectOf)],
    );
    const queued = new Set(rows.map(({ org, subject }) => `${org} ${subject}`));
    lost.push(...wanted.filter((job) => !queued.has(`${'orgId' in job ? job.orgId : ''} ${subjectOf(job)}`)));
  }
  return lost;
}

/** What a job is about, in its data. */
const SUBJECT = `coalesce(
  data->>'deliveryId', data->>'receiptId', data->>'mailId', data->>'invitationId', data->>'signInId'
)`;

/** The id of what a job is about. */
function subjectOf(job: Job): string {
  if ('deliveryId' in job) return job.deliveryId;
  if ('receiptId' in job) return job.receiptId;
  if ('mailId' in job) return job.mailId;
  return 'invitationId' in job ? job.invitationId : job.signInId;
}

/** A delivery's job has the delivery's id, by which the commit finds it. */
function describeJob(job: Job) {
  const { kind, startAfter, ...data } = job;
  const id = kind === 'fulfil-delivery' ? job.deliveryId : crypto.randomUUID();
  // As text, because pg-boss reads a job's time through JSON.
  return { id, data, startAfter: startAfter.toISOString() };
}

async function within(milliseconds: number, work: Promise<void> | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function inTransaction(trx: Kysely<Schema>): QueueDatabase {
  return fromKysely(trx);
}

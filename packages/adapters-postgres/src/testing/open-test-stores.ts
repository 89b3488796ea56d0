import type { EmailKind, Job, Stores } from '@handover/domain';
import { CLAIM_EXPIRED_AFTER_MS } from '@handover/domain/memory';
import type pg from 'pg';
import { type Database, type Log, openDatabase } from '../database/connect-database.ts';
import { JOB_KINDS, type JobHandlers, type JobKey, toJob, toJobRow } from '../jobs/job-outbox.ts';
import { createJobQueue, type JobQueue } from '../jobs/job-queue.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { createPostgresStores } from '../stores/create-postgres-stores.ts';
import { createTestDatabase, type TestDatabase, type TestPostgres } from './create-test-database.ts';

export interface TestStores {
  readonly url: string;
  readonly database: Database;
  readonly queue: JobQueue;
  /** The stores of several processes: each call goes to the next one. */
  readonly stores: Stores;
  /** The stores of one process. */
  readonly storesOfOne: Stores;
  queuedJobs(): Promise<readonly Job[]>;
  /** Removes these jobs from the queue. */
  dropJobs(jobs: readonly Job[]): Promise<void>;
  /**
   * Simulates that the process with the claim of a mail has been dead for this long, by default until the claim
   * expires.
   */
  expireClaims(deadForMs?: number): Promise<void>;
  /** Empties every table, for the next test. */
  clear(): Promise<void>;
  /** Drops the database. */
  close(): Promise<void>;
}

const SILENT: Log = { warn: () => undefined, error: () => undefined };

/** Opens stores on their own migrated database. */
export async function openTestStores(postgres: TestPostgres, { log = SILENT } = {}): Promise<TestStores> {
  return openStoresOn(await createTestDatabase(postgres), { log });
}

/** Opens stores on a migrated database. `empty` deletes all rows of it. */
export async function openStoresOn(
  { url, drop }: TestDatabase,
  { log = SILENT, empty }: { readonly log?: Log; readonly empty?: () => Promise<void> } = {},
): Promise<TestStores> {
  const database = openDatabase({ url, log });
  const queue = createJobQueue({ url, log });
  const deleteAll = empty ?? (await prepareDeleteAll(database));
  const openProcess = () => createPostgresStores({ database, jobs: queue, secretBox: openBox });
  const storesOfOne = openProcess();
  return {
    url,
    database,
    queue,
    stores: spreadOverProcesses([storesOfOne, openProcess(), openProcess()]),
    storesOfOne,
    queuedJobs: () => listQueuedJobs(database.pool),
    dropJobs: (jobs) => dropQueuedJobs(database.pool, jobs),
    expireClaims: async (deadForMs = CLAIM_EXPIRED_AFTER_MS) => {
      const sooner = `(claimed_until at time zone 'utc' - make_interval(secs => ${deadForMs / 1000})) at time zone 'utc'`;
      await database.pool.query(`update outgoing_emails set claimed_until = ${sooner}`);
    },
    clear: async () => {
      await deleteAll();
      await openConnections(database);
    },
    close: async () => {
      await queue.stop();
      await database.close();
      await drop();
    },
  };
}

/**
 * Opens as many connections as the pool may have. With only one connection, concurrent calls run one after the other:
 * there is no race, and its test cannot fail.
 */
async function openConnections({ pool }: Database): Promise<void> {
  await Promise.all(Array.from({ length: pool.options.max }, () => pool.query('select')));
}

/**
 * Empties all tables with one statement, since rows that refer to each other must be deleted together. For the few
 * rows of a test this takes a thirtieth of the time of a truncate, which creates new files for every table and index.
 */
async function prepareDeleteAll({ pool }: Database): Promise<() => Promise<void>> {
  const { rows } = await pool.query<{ readonly name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname = current_schema() and tablename not like 'kysely%'`,
  );
  const deletes = rows.map(({ name }, at) => `emptied_${at} as (delete from ${name})`);
  // Prepared: planning it takes longer than deleting.
  const statement = { name: 'empty all tables', text: `with ${deletes.join(', ')} select` };
  return async () => void (await pool.query(statement));
}

/** Seals without cryptography, but checks the context: for tests only. */
const openBox: SecretBox = {
  seal: (plain, context) => `${context}|${plain}`,
  unseal: (sealed, context) => {
    if (!sealed.startsWith(`${context}|`)) throw new Error('Sealed in another context.');
    return sealed.slice(context.length + 1);
  },
  holds: (sealed, context, plain) => sealed === `${context}|${plain}`,
};

/**
 * The stores of several processes on one database, as one: each call goes to the next process. So concurrent calls of
 * a test run in several processes, each with its own batches; in one process many of them would run one after the
 * other, and the test of a race could not fail. Each process has its own caches: connections, and the claims of
 * mails.
 */
function spreadOverProcesses(processes: readonly [Stores, ...Stores[]]): Stores {
  let turn = 0;
  const next = (): Stores => {
    turn += 1;
    return processes[turn % processes.length] ?? processes[0];
  };
  const [first] = processes;
  const ports = Object.entries(first).map(([name, port]) => {
    if (typeof port === 'function' || REMEMBERING.has(name)) return [name, port];
    const spread = Object.keys(port).map((method) => [
      method,
      (...values: unknown[]) => callMethod(next(), name, method, values),
    ]);
    return [name, Object.fromEntries(spread)];
  });
  return Object.fromEntries(ports);
}

const REMEMBERING = new Set(['connections', 'outgoingEmails']);

type Callable = Readonly<Record<string, Readonly<Record<string, (...values: unknown[]) => unknown>>>>;

function callMethod(stores: Stores, port: string, method: string, values: unknown[]): unknown {
  return (stores as unknown as Callable)[port]?.[method]?.(...values);
}

/** Handlers that take every job and do nothing, for the kinds of jobs that a test is not about. */
export const IDLE_HANDLERS = Object.fromEntries(
  JOB_KINDS.map((kind) => [kind, async () => 'done']),
) as unknown as JobHandlers;

type Row = JobKey & {
  readonly attempts: number;
  readonly emailKind: EmailKind;
  readonly startAfter: Date;
};

/** Waiting jobs, soonest first; of a running job the next run. An alert mail may be deleted by then. */
export async function listQueuedJobs(pool: pg.Pool): Promise<readonly Job[]> {
  const { rows } = await pool.query<Row>(
    `select job.kind, job.org_id as "orgId", job.subject, job.attempts, coalesce(email.kind, 'alert') as "emailKind",
       case when lease_id is null then due_at else again_at end as "startAfter"
     -- Its place in the table is not known to a database that is distributed.
     from (select *, ctid::text as place from jobs offset 0) job
     left join outgoing_emails email on email.org_id = job.org_id and email.id::text = job.subject
     where lease_id is null or again_at is not null
     order by "startAfter", job.place`,
  );
  return rows.map(toJob);
}

export async function dropQueuedJobs(pool: pg.Pool, jobs: readonly Job[]): Promise<void> {
  for (const { kind, orgId, subject, dueAt } of jobs.map(toJobRow)) {
    await pool.query('delete from jobs where kind = $1 and subject = $2 and due_at = $3 and org_id = $4', [
      kind,
      subject,
      dueAt,
      orgId,
    ]);
  }
}

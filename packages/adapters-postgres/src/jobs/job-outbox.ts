import {
  type DueJob,
  type EmailKind,
  formatRelease,
  type Job,
  type JobAnswer,
  parseRelease,
} from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../database/schema.ts';
import { transact, WITH_NEXT } from '../database/transact.ts';
import { unnestRows } from '../statements/rows.ts';

type JobOf<Kind extends Job['kind']> = Omit<Extract<DueJob, { readonly kind: Kind }>, 'kind'>;

/**
 * Handlers must be idempotent: a job can run more than once, since a process may die after the work and before recording it.
 */
export type JobHandlers = { readonly [Kind in Job['kind']]: (job: JobOf<Kind>) => Promise<JobAnswer> };

/** Jobs that workers of this process run as soon as they are committed. They are leased from the moment they are queued. */
export interface Reservation {
  readonly jobs: readonly Job[];
  readonly leaseId: string;
  /** Runs those of the jobs that were committed, and frees the room of the others. Always call it: a stop waits for it. */
  start(committed: readonly Job[]): void;
}

export const NOTHING_RESERVED: Reservation = { jobs: [], leaseId: '', start: () => undefined };

/** The lease tells it from a job of the same key that was queued afterwards. */
export type RemovedJob = JobKey & { readonly leaseId: string | null };

/** Lists the jobs that were removed, once the next statement is answered. */
export type ListRemoved = () => readonly RemovedJob[];

/** What the stores need of the queue: jobs are added and removed in the transaction that they belong to. */
export interface JobOutbox {
  /**
   * There is one job per kind and subject. A waiting job becomes due at the earlier of both times. A running job runs
   * once more after it ends, because it may have read the state before this transaction. Reserved jobs must be new.
   */
  enqueue(trx: Trx, jobs: readonly Job[], reservation?: Reservation): Promise<void>;
  /**
   * Reserves workers for those of these jobs that are due, as many as there is room for, before the transaction that
   * queues them begins. While queued jobs wait for room, half of it is left to them, because organisations take turns.
   */
  reserve(jobs: readonly Job[]): Reservation;
  /**
   * Queues only jobs that are not queued yet, and returns their subjects. It waits for a concurrent transaction that queues the
   * same job: the unique key decides, also where the queue is on another node than the rows that the transaction has locked.
   */
  enqueueNew(trx: Trx, jobs: readonly Job[]): Promise<ReadonlySet<string>>;
  /**
   * Removes the jobs that decide these deliveries from the queue, also when another process runs them. A job that another
   * transaction has locked stays, and will find nothing to do.
   */
  removeDecided(trx: Trx, orgId: string, deliveryIds: readonly string[]): Promise<ListRemoved>;
  /**
   * Removes the jobs that are sending these e-mails, in the transaction that records that they were sent. A job that was queued
   * again meanwhile, or that another transaction has locked, stays.
   */
  removeSent(trx: Trx, orgId: string, emailIds: readonly string[]): Promise<ListRemoved>;
  /**
   * Announces that a committed transaction removed these jobs, so that their runs in this process need not be recorded. A run of
   * a job that is still there is repeated once its lease expires.
   */
  announceRemoved(jobs: readonly RemovedJob[]): void;
  /** Announces that these jobs were committed, so that workers of this process need not wait for their next look. */
  wake(jobs: readonly Job[]): void;
}

/**
 * Runs the work in one transaction, as `transact` does, and wakes the workers of this process for what it queued once that is
 * committed.
 */
export async function commitAndWake<Answer>(
  db: Db,
  jobs: Pick<JobOutbox, 'enqueue' | 'wake'>,
  work: (trx: Trx, queue: Pick<JobOutbox, 'enqueue'>, giveUp: (answer: Answer) => never) => Promise<Answer>,
): Promise<Answer> {
  let due: readonly Job[] = [];
  const queue: Pick<JobOutbox, 'enqueue'> = {
    enqueue: async (trx, queued) => {
      await jobs.enqueue(trx, queued);
      due = [...due, ...queued];
    },
  };
  const answer = await transact<Answer>(db, (trx, giveUp) =>
    work(trx, queue, (refusal) => {
      due = [];
      return giveUp(refusal);
    }),
  );
  jobs.wake(due);
  return answer;
}

/** Long enough to renew it three times. Other processes take the jobs of a dead one after this. */
export const LEASE_SECONDS = 12;

export const JOB_KINDS = [
  'fulfil-delivery',
  'resolve-delivery',
  'release-entries',
  'run-bulk-action',
  'send-email',
] as const satisfies readonly Job['kind'][];

/**
 * Jobs of one lane wait for each other; those of different lanes do not. An order from a webhook does not wait for
 * thousands of released ones, and a sign-in link does not wait for thousands of receipts. The numbers are the
 * concurrent jobs of a lane in one process. Few are for released orders, since each takes a connection from incoming
 * requests.
 */
export const LANE_SIZES = { orders: 128, reruns: 4, receipts: 128, mails: 32 } as const;

export type Lane = keyof typeof LANE_SIZES;

/** The identity of a job in its table: unique per row. */
export interface JobKey {
  readonly kind: Job['kind'];
  readonly orgId: string;
  readonly subject: string;
}

export interface JobRow extends JobKey {
  readonly lane: Lane;
  readonly attempts: number;
  readonly dueAt: Date;
}

export function toJobRow(job: Job): JobRow {
  const attempts = 'attempts' in job ? job.attempts : 0;
  return {
    kind: job.kind,
    orgId: job.orgId,
    subject: subjectOf(job),
    lane: laneOf(job),
    attempts,
    dueAt: job.startAfter,
  };
}

function subjectOf(job: Job): string {
  if (job.kind === 'send-email') return job.emailId;
  if (job.kind === 'run-bulk-action') return job.bulkId;
  return job.kind === 'release-entries' ? formatRelease(job.release) : job.deliveryId;
}

/** The job of a row, as its handler receives it. */
export function readJob({ kind, orgId, subject, attempts }: JobKey & { readonly attempts: number }) {
  switch (kind) {
    case 'fulfil-delivery':
    case 'resolve-delivery':
      return { orgId, deliveryId: subject, attempts };
    case 'release-entries':
      return { orgId, release: parseRelease(subject) };
    case 'run-bulk-action':
      return { orgId, bulkId: subject };
    case 'send-email':
      return { orgId, emailId: subject };
  }
}

/** The job that was queued as this row. */
export function toJob({
  emailKind,
  startAfter,
  ...row
}: JobKey & {
  readonly attempts: number;
  readonly emailKind?: EmailKind;
  readonly startAfter: Date;
}): Job {
  const { kind } = row;
  return { kind, ...readJob(row), ...(kind === 'send-email' && { emailKind }), startAfter } as Job;
}

/** The lanes that a worker of this kind takes jobs from. */
export function lanesOf(kind: Job['kind']): readonly Lane[] {
  if (kind === 'send-email') return ['receipts', 'mails'];
  return kind === 'fulfil-delivery' ? ['orders', 'reruns'] : ['reruns'];
}

/** An entry that was decided before may have been released with thousands of others: its job has another lane. */
function laneOf(job: Job): Lane {
  if (job.kind === 'send-email') return job.emailKind === 'receipt' ? 'receipts' : 'mails';
  // A release continues after the entries that it queued.
  if (job.kind === 'resolve-delivery' || job.kind === 'release-entries') return 'reruns';
  if (job.kind === 'run-bulk-action') return 'reruns';
  return job.attempts === 0 ? 'orders' : 'reruns';
}

export async function enqueueJobs(
  trx: Trx,
  jobs: readonly Job[],
  reservation = NOTHING_RESERVED,
): Promise<void> {
  if (jobs.length > 0) await sql`${sql.raw(WITH_NEXT)} ${insertJobs(jobs, reservation)}`.execute(trx);
}

/** See `JobOutbox.enqueueNew`. */
export async function enqueueNewJobs(trx: Trx, jobs: readonly Job[]): Promise<ReadonlySet<string>> {
  if (jobs.length === 0) return new Set();
  const { rows } = await sql<{ readonly subject: string }>`
    ${insertRows(jobs)} on conflict (kind, subject, org_id) do nothing returning subject
  `.execute(trx);
  return new Set(rows.map(({ subject }) => subject));
}

/**
 * The statement that queues jobs, also as a part of another statement. For a job that exists, the higher attempts
 * win: they only grow, and a transaction that read the entry earlier may write later. An expired lease changes
 * nothing here: the job is due, and its next claim sees this.
 */
export function insertJobs(
  jobs: readonly Job[],
  reservation: Pick<Reservation, 'jobs' | 'leaseId'> = NOTHING_RESERVED,
): RawBuilder<unknown> {
  return sql`
    ${insertRows(jobs, reservation)}
    on conflict (kind, subject, org_id) do update set
      attempts = greatest(jobs.attempts, excluded.attempts),
      lane = case when excluded.attempts > jobs.attempts then excluded.lane else jobs.lane end,
      due_at = case when jobs.lease_id is null then least(jobs.due_at, excluded.due_at) else jobs.due_at end,
      again_at = case when jobs.lease_id is not null then least(jobs.again_at, excluded.due_at) end
  `;
}

function insertRows(
  jobs: readonly Job[],
  { jobs: reserved, leaseId }: Pick<Reservation, 'jobs' | 'leaseId'> = NOTHING_RESERVED,
): RawBuilder<unknown> {
  const leased = new Set(reserved.map(nameJob));
  const rows = listRows(jobs).map((row) => ({ ...row, leaseId: leased.has(nameRow(row)) ? leaseId : null }));
  return sql`
    insert into jobs (kind, org_id, subject, lane, attempts, due_at, lease_id, lease_until)
    select job.*, case when lease_id is not null then now() + make_interval(secs => ${LEASE_SECONDS}) end
    from ${unnestRows(rows).as(`job (
      kind text, org_id uuid, subject text, lane text, attempts integer, due_at timestamptz, lease_id uuid
    )`)}
  `;
}

export function nameRow({ kind, subject, orgId }: JobKey): string {
  return `${kind} ${subject} ${orgId}`;
}

function nameJob(job: Job): string {
  return nameRow(toJobRow(job));
}

/** Each job once, and in the order in which every transaction locks them, to avoid deadlocks. */
function listRows(jobs: readonly Job[]): readonly JobRow[] {
  const rows = new Map<string, JobRow>();
  for (const row of jobs.map(toJobRow)) {
    const key = nameRow(row);
    const other = rows.get(key) ?? row;
    const newest = other.attempts > row.attempts ? other : row;
    rows.set(key, { ...newest, dueAt: new Date(Math.min(other.dueAt.getTime(), row.dueAt.getTime())) });
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

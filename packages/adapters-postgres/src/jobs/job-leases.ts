import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { type JobKey, type Lane, LEASE_SECONDS } from './job-outbox.ts';

export type Query = (text: string, values: readonly unknown[]) => Promise<pg.QueryResult>;

/** A job that this process may run until its lease expires. */
export interface LeasedJob extends JobKey {
  readonly lane: Lane;
  readonly attempts: number;
  readonly leaseId: string;
}

/** Where a process continues in a lane, and how many more jobs it can run. */
export interface LaneTurn {
  readonly lane: Lane;
  readonly room: number;
  /** The organisation that had the last turn. */
  readonly afterOrg: string;
}

/**
 * The outcome of a run. `again`: run again after a minimum pause, not before `at` if that is given. `failed`, or not
 * possible in this process: run again after a pause that doubles with each consecutive failure. `returned`: not run to its
 * end; it keeps its place and its failures.
 */
export type RunOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'again'; readonly at: Date | null; readonly restMs: number }
  | { readonly kind: 'failed' }
  | { readonly kind: 'returned' };

export const RENEW_EVERY_MS = 3_000;
const MAX_PAUSE_SECONDS = 300;
/** Two to this power exceeds the longest pause and does not overflow. */
const MAX_DOUBLINGS = 10;

/** Leases due jobs of these kinds, in each lane as many as there is room for. */
export async function claimJobs(
  query: Query,
  kinds: readonly string[],
  turns: readonly LaneTurn[],
): Promise<readonly LeasedJob[]> {
  const leaseId = randomUUID();
  const { rows } = await query(CLAIM, [
    turns.map(({ lane }) => lane),
    turns.map(({ room }) => room),
    turns.map(({ afterOrg }) => afterOrg),
    kinds,
    leaseId,
  ]);
  return rows.map((row) => ({ ...row, leaseId }));
}

/** Skips locked rows: the next beat renews them, if they still exist. */
export async function renewLeases(query: Query, jobs: readonly LeasedJob[]): Promise<void> {
  if (jobs.length > 0) await query(RENEW, keyColumns(jobs));
}

/**
 * Records the outcomes of runs, and returns for each whether it was recorded. A job whose lease another process holds
 * is left unchanged. A job that another transaction has locked is skipped, so that other outcomes need not wait: call this again
 * for it.
 */
export async function endRuns(
  query: Query,
  runs: readonly { readonly job: LeasedJob; readonly outcome: RunOutcome }[],
): Promise<readonly ('ended' | 'locked')[]> {
  const outcomes = runs.map(({ outcome }) => outcome);
  const { rows } = await query(END, [
    ...keyColumns(runs.map(({ job }) => job)),
    outcomes.map(({ kind }) => kind),
    outcomes.map((outcome) => (outcome.kind === 'again' ? outcome.at : null)),
    outcomes.map((outcome) => (outcome.kind === 'again' ? outcome.restMs : 0)),
  ]);
  const locked = new Set(rows.map(({ place }) => place));
  return runs.map((_, at) => (locked.has(at + 1) ? 'locked' : 'ended'));
}

function keyColumns(jobs: readonly LeasedJob[]): readonly unknown[] {
  return (['kind', 'subject', 'orgId', 'leaseId'] as const).map((key) => jobs.map((job) => job[key]));
}

const KEYS = '$1::text[], $2::text[], $3::uuid[], $4::uuid[]';

/**
 * `is not distinct from` keeps the organisation out of the choice of an index. While the statistics say that the
 * table is empty, the planner would otherwise read all jobs of the organisation for each job that is held.
 */
const IS_HELD = `
  job.kind = held.kind and job.subject = held.subject
  and job.org_id is not distinct from held.org_id and job.lease_id = held.lease_id`;

const IS_CLAIMABLE = `
  job.due_at <= now() and (job.lease_until is null or job.lease_until <= now()) and job.kind = any($4::text[])`;

/**
 * The next organisation with a job in the lane: after the last of them, then from the first up to where the walk
 * began.
 */
function nextOrganisation(row: string, hasWrapped: string): string {
  return `(
    select org_id, has_wrapped from (
      (
        select job.org_id, ${hasWrapped} as has_wrapped from jobs job
        where job.lane = ${row}.lane and job.org_id > ${row}.org_id
          and (not ${hasWrapped} or job.org_id <= ${row}.after_org)
        order by job.org_id limit 1
      )
      union all
      (
        select job.org_id, true from jobs job
        where not ${hasWrapped} and job.lane = ${row}.lane and job.org_id <= ${row}.after_org
        order by job.org_id limit 1
      )
    ) either limit 1
  )`;
}

/** With `offset 0`, because otherwise PostgreSQL evaluates it at each use of its result. */
function isDue(row: string): string {
  return `(
    select exists (
      select from jobs job where job.lane = ${row}.lane and job.org_id = step.org_id and ${IS_CLAIMABLE}
    ) as is_due offset 0
  )`;
}

/**
 * Organisations take turns. The walk steps through the index from one organisation to the next, however many jobs
 * each has, until enough of them have work, and each gets an equal share. A row that changed since this statement
 * began is left for the next look, because it has another position by now.
 */
const CLAIM = `
  with recursive lane as materialized (
    select lane, room, after_org, after_org as org_id
    from unnest($1::text[], $2::integer[], $3::uuid[]) as given (lane, room, after_org)
  ),
  walk as (
    select lane.lane, lane.room, lane.after_org, step.org_id, step.has_wrapped, due.is_due, due.is_due::integer as found
    from lane
    cross join lateral ${nextOrganisation('lane', 'false')} step
    cross join lateral ${isDue('lane')} due
    union all
    select walk.lane, walk.room, walk.after_org, step.org_id, step.has_wrapped, due.is_due, found + due.is_due::integer
    from walk
    cross join lateral ${nextOrganisation('walk', 'walk.has_wrapped')} step
    cross join lateral ${isDue('walk')} due
    where found < walk.room
  ),
  turn as materialized (
    select lane, org_id, greatest(1, room / count(*) over (partition by lane)) as share from walk where is_due
  )
  update jobs set
    lease_id = $5::uuid, lease_until = now() + interval '${LEASE_SECONDS} seconds', again_at = null
  where ctid = any(array(
    select picked.ctid from turn cross join lateral (
      select job.ctid from jobs job
      where job.lane = turn.lane and job.org_id = turn.org_id and ${IS_CLAIMABLE}
      order by job.due_at limit turn.share
      for update skip locked
    ) picked
  ))
  returning kind, org_id as "orgId", subject, lane, attempts`;

const RENEW = `
  update jobs set lease_until = now() + interval '${LEASE_SECONDS} seconds'
  where ctid = any(array(
    select job.ctid from unnest(${KEYS}) as held (kind, subject, org_id, lease_id)
    cross join lateral (select ctid from jobs job where ${IS_HELD} for update skip locked) job
  ))`;

/**
 * Locks first, and so sees what was queued up to now: a job that was queued again during its run is not removed. The
 * minimum pause prevents a busy loop for a job that asks to run at a time in the past. Returns the runs that were not
 * recorded although their job is still leased: another transaction has locked its row, or just moved it.
 */
const END = `
  with held as materialized (
    select * from unnest(${KEYS}, $5::text[], $6::timestamptz[], $7::integer[])
      with ordinality as given (kind, subject, org_id, lease_id, outcome, at, rest_ms, place)
  ),
  ended as materialized (
    select held.place, held.outcome, held.at, held.rest_ms, job.position, job.asked_at,
      held.outcome = 'done' and job.asked_at is null as is_over
    from held cross join lateral (
      select job.ctid as position, job.again_at as asked_at from jobs job where ${IS_HELD} for update skip locked
    ) job
  ),
  removed as (
    delete from jobs where ctid = any(array(select position from ended where is_over)) returning ctid as position
  ),
  changed as (
    update jobs job set
      lease_id = null, lease_until = null, again_at = null,
      failures = case ended.outcome
        when 'failed' then job.failures + 1
        when 'returned' then job.failures
        else 0
      end,
      due_at = least(ended.asked_at, case ended.outcome
        when 'returned' then job.due_at
        when 'again' then greatest(ended.at, now() + make_interval(secs => ended.rest_ms / 1000.0))
        when 'failed' then now() + make_interval(secs =>
          least(${MAX_PAUSE_SECONDS}, 2 ^ least(${MAX_DOUBLINGS}, job.failures) * (1 + random())))
      end)
    from ended
    where job.ctid = any(array(select position from ended where not is_over)) and job.ctid = ended.position
    returning ended.place
  )
  select held.place::integer from held
  cross join lateral (select from jobs job where ${IS_HELD} offset 0) job
  where held.place not in (
    select place from changed
    union all
    select place from ended where position in (select position from removed)
  )`;

import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { columnsOf } from './columns-of.ts';
import type { JobKey, Lane } from './job-rows.ts';

export type Query = (text: string, values: readonly unknown[]) => Promise<pg.QueryResult>;

/** A job that this process may run until its lease lapses. */
export interface LeasedJob extends JobKey {
  readonly lane: Lane;
  readonly attempts: number;
  readonly leaseId: string;
}

/** Where a process goes on in a lane, and how many more jobs it can run. */
export interface LaneTurn {
  readonly lane: Lane;
  readonly room: number;
  /** The organisation that had the last turn. */
  readonly afterOrg: string;
}

/**
 * What became of a run. `again`: not before `at`, if it is given, and a rest. `failed`, or not to be done by
 * this process: after a pause that doubles with each try in a row that came to nothing.
 */
export type RunOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'again'; readonly at: Date | null; readonly restMs: number }
  | { readonly kind: 'failed' };

/** Time enough to renew it three times. A dead process's jobs are free after this. */
const LEASE_SECONDS = 12;
export const RENEW_EVERY_MS = 3_000;
const MAX_PAUSE_SECONDS = 300;
/** Two to this power is more than the longest pause, and no number that overflows. */
const MAX_DOUBLINGS = 10;

/** Leases jobs of those kinds that are due: in each lane as many as there is room for. */
export async function claimJobs(
  query: Query,
  kinds: readonly string[],
  turns: readonly LaneTurn[],
): Promise<readonly LeasedJob[]> {
  const column = columnsOf(turns);
  const leaseId = randomUUID();
  const { rows } = await query(CLAIM, [column('lane'), column('room'), column('afterOrg'), kinds, leaseId]);
  return rows.map((row) => ({ ...row, leaseId }));
}

/** What is locked is left out: it is renewed, if it is still there, by the next beat. */
export async function renewLeases(query: Query, jobs: readonly LeasedJob[]): Promise<void> {
  if (jobs.length > 0) await query(RENEW, keyColumns(jobs));
}

/**
 * Writes down what became of runs, and answers for each whether it did. Of a job whose lease is another's by now nothing is
 * changed. One that somebody else has locked is not waited for, since no other end should be: it is to be ended again.
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
  const column = columnsOf(jobs);
  return [column('kind'), column('subject'), column('orgId'), column('leaseId')];
}

const KEYS = '$1::text[], $2::text[], $3::uuid[], $4::uuid[]';

const IS_HELD = `
  job.kind = held.kind and job.subject = held.subject and job.org_id = held.org_id and job.lease_id = held.lease_id`;

const IS_CLAIMABLE = `
  job.due_at <= now() and (job.lease_until is null or job.lease_until <= now()) and job.kind = any($4::text[])`;

/** The next organisation with a job in the lane: after the last of them from the first on, up to where the walk began. */
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

/** With an offset, for without one it is asked wherever its answer is used. */
function isDue(row: string): string {
  return `(
    select exists (
      select from jobs job where job.lane = ${row}.lane and job.org_id = step.org_id and ${IS_CLAIMABLE}
    ) as is_due offset 0
  )`;
}

/**
 * Organisations take turns: the walk goes from one to the next through the index, whatever number of jobs each has, until as
 * many have work as there is room for, and each of them gets an equal share. A row that was changed since this statement
 * began is left for the next look, for it has another place by now.
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
    join jobs job on ${IS_HELD}
    for update of job skip locked
  ))`;

/**
 * Locks first, and so sees what was queued up to now: a job that was queued anew during its run is
 * not removed. A rest keeps a job that is told to wait until a time that has come from being asked without a pause.
 */
const END = `
  with held as materialized (
    select * from unnest(${KEYS}, $5::text[], $6::timestamptz[], $7::integer[])
      with ordinality as given (kind, subject, org_id, lease_id, outcome, at, rest_ms, place)
  ),
  ended as materialized (
    select held.place, job.kind, job.subject, job.org_id, held.outcome, held.at, held.rest_ms, job.again_at as asked_at
    from held join jobs job on ${IS_HELD}
    for update of job skip locked
  ),
  removed as (
    delete from jobs job using ended
    where job.kind = ended.kind and job.subject = ended.subject and job.org_id = ended.org_id
      and ended.outcome = 'done' and ended.asked_at is null
  ),
  changed as (
    update jobs job set
      lease_id = null, lease_until = null, again_at = null,
      failures = case ended.outcome when 'failed' then job.failures + 1 else 0 end,
      due_at = least(ended.asked_at, case ended.outcome
        when 'again' then greatest(ended.at, now() + make_interval(secs => ended.rest_ms / 1000.0))
        when 'failed' then now() + make_interval(secs =>
          least(${MAX_PAUSE_SECONDS}, 2 ^ least(${MAX_DOUBLINGS}, job.failures) * (1 + random())))
      end)
    from ended
    where job.kind = ended.kind and job.subject = ended.subject and job.org_id = ended.org_id
      and not (ended.outcome = 'done' and ended.asked_at is null)
  )
  select held.place::integer from held join jobs job on ${IS_HELD}
  where held.place not in (select place from ended)`;

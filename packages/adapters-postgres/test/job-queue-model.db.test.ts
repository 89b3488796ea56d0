import { NO_ORGANISATION } from '@handover/domain';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { claimJobs, endRuns, type LeasedJob, type Query, type RunOutcome } from '../src/jobs/job-leases.ts';
import { JOB_KINDS } from '../src/jobs/job-outbox.ts';
import { deliveryJob, enqueue, ORG, opened, openQueueAnew } from './queue-of-the-test.ts';

openQueueAnew();

const query: Query = (text, values) => opened.database.pool.query(text, [...values]);

const TIMES = { past: new Date('2020-01-01'), future: new Date('2100-01-01') } as const;
type When = keyof typeof TIMES;

/** Everything that the queue records about a job. `again`: when it is due again after its run. */
interface ModelJob {
  attempts: number;
  due: When;
  again: When | null;
  leaseId: string | null;
  isExpired: boolean;
}

type Model = Map<number, ModelJob>;

const subject = fc.nat(2);
const when = fc.constantFrom<When>('past', 'future');
const STEPS = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('enqueue' as const), subject, attempts: fc.nat(2), when }),
    fc.record({ kind: fc.constant('claim' as const) }),
    fc.record({
      kind: fc.constant('end' as const),
      claim: fc.nat(),
      outcome: fc.oneof(when, fc.constant('done' as const)),
    }),
    fc.record({ kind: fc.constant('expire' as const), subject }),
    fc.record({ kind: fc.constant('remove' as const), subject }),
  ),
  { minLength: 5, maxLength: 30 },
);

it(
  'agrees with a model for each job through any claims, ends, crashes and new queueing',
  async () => {
    await fc.assert(
      fc.asyncProperty(STEPS, async (steps) => {
        await query('delete from jobs', []);
        const model: Model = new Map();
        const claims: LeasedJob[] = [];
        for (const step of steps) {
          if (step.kind === 'enqueue') await queueBoth(model, step);
          else if (step.kind === 'claim') claims.push(...(await claimBoth(model)));
          else if (step.kind === 'expire') await expireBoth(model, step.subject);
          else if (step.kind === 'remove') await removeBoth(model, step.subject);
          else await endBoth(model, claims[step.claim % Math.max(1, claims.length)], step.outcome);
          expect(await readJobs()).toEqual(describeModel(model));
        }
      }),
      { numRuns: 60 },
    );
  },
  4 * WAIT_TIMEOUT_MS,
);

async function queueBoth(
  model: Model,
  step: { readonly subject: number; readonly attempts: number; readonly when: When },
): Promise<void> {
  await enqueue(deliveryJob(step.subject, TIMES[step.when], step.attempts));
  const job = model.get(step.subject);
  if (!job) {
    const { attempts, when: due } = step;
    model.set(step.subject, { attempts, due, again: null, leaseId: null, isExpired: false });
    return;
  }
  job.attempts = Math.max(job.attempts, step.attempts);
  if (job.leaseId === null) job.due = earlier(job.due, step.when);
  else job.again = earlier(job.again, step.when);
}

async function claimBoth(model: Model): Promise<readonly LeasedJob[]> {
  const turn = { room: 10, afterOrg: NO_ORGANISATION };
  const claimed = await claimJobs(query, JOB_KINDS, [
    { ...turn, lane: 'orders' },
    { ...turn, lane: 'reruns' },
  ]);
  const due = [...model].filter(([, job]) => job.due === 'past' && (job.leaseId === null || job.isExpired));
  expect(claimed.map(subjectOf).sort()).toEqual(due.map(([key]) => key).sort());
  for (const job of claimed) {
    const { leaseId } = job;
    Object.assign(model.get(subjectOf(job)) ?? {}, { leaseId, isExpired: false, again: null });
  }
  return claimed;
}

async function endBoth(model: Model, claim: LeasedJob | undefined, outcome: When | 'done'): Promise<void> {
  if (!claim) return;
  const again = (at: Date): RunOutcome => ({ kind: 'again', at, restMs: -1_000 });
  await endRuns(query, [
    { job: claim, outcome: outcome === 'done' ? { kind: outcome } : again(TIMES[outcome]) },
  ]);
  const job = model.get(subjectOf(claim));
  if (job?.leaseId !== claim.leaseId) return;
  if (outcome === 'done' && job.again === null) model.delete(subjectOf(claim));
  const due = outcome === 'done' ? job.again : earlier(job.again, outcome);
  Object.assign(job, { due, again: null, leaseId: null, isExpired: false });
}

async function expireBoth(model: Model, key: number): Promise<void> {
  await query('update jobs set lease_until = $2 where subject = $1 and lease_id is not null', [
    idOf(key),
    TIMES.past,
  ]);
  const job = model.get(key);
  if (job?.leaseId) job.isExpired = true;
}

async function removeBoth(model: Model, key: number): Promise<void> {
  await opened.database.db.transaction().execute((trx) => opened.queue.removeDecided(trx, ORG, [idOf(key)]));
  model.delete(key);
}

async function readJobs() {
  const { rows } = await query(
    `select right(subject, 1)::integer as key, lane, attempts, lease_id as "leaseId",
       case when due_at <= now() then 'past' else 'future' end as due,
       case when again_at <= now() then 'past' when again_at > now() then 'future' end as again,
       coalesce(lease_until <= now(), false) as "isExpired"
     from jobs order by subject`,
    [],
  );
  return rows;
}

function describeModel(model: Model) {
  const rows = [...model].map(([key, job]) => ({
    key,
    lane: job.attempts === 0 ? 'orders' : 'reruns',
    ...job,
  }));
  return rows.sort((a, b) => a.key - b.key);
}

function earlier(one: When | null, other: When): When {
  return one === 'past' ? one : other;
}

function subjectOf(job: LeasedJob): number {
  return Number(job.subject.slice(-1));
}

function idOf(key: number): string {
  return `00000000-0000-7000-8000-00000000000${key}`;
}

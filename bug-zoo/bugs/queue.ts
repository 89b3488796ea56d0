import type { Bug } from '../bug.ts';

const QUEUE = 'packages/adapters-postgres/test/job-queue.db.test.ts';
const FENCES = 'packages/adapters-postgres/test/job-queue-fences.db.test.ts';

/** Jobs and the workers that do them. */
export const QUEUE_BUGS: readonly Bug[] = [
  {
    name: 'put-off-without-a-fence',
    rule: 'A worker that lost its job changes nothing of it.',
    file: 'packages/adapters-postgres/src/workers.ts',
    find: "and state = 'active' and retry_count = $3`",
    replace: "and state = 'active' and retry_count >= $3`",
    seenBy: [FENCES],
  },
  {
    name: 'putting-off-counts-as-failure',
    rule: 'A job that is put off is done when its time has come.',
    file: 'packages/adapters-postgres/src/workers.ts',
    find: "if (answer !== 'done') await putOff(shared, kind, job, answer.again);",
    replace: '',
    seenBy: [QUEUE],
    tests: 'runs a job again when it says so',
  },
  {
    name: 'worker-swallows-a-failure',
    rule: 'A job that failed is done again.',
    file: 'packages/adapters-postgres/src/workers.ts',
    find: 'if (!isStoreUnavailable(error)) await putOffFailed(shared, kind, job);\n        else',
    replace: 'if (isStoreUnavailable(error))',
    seenBy: [QUEUE],
    tests: 'runs a job again after a pause',
  },
  {
    name: 'woken-before-the-commit',
    rule: 'Workers are woken once their jobs are committed.',
    file: 'packages/adapters-postgres/src/stores/as-one.ts',
    find: 'wake: (committed) => due.push(...committed)',
    replace: 'wake: jobs.wake',
    seenBy: [FENCES],
  },
  {
    name: 'recording-wakes-nobody',
    rule: 'Workers are woken for an order that was recorded.',
    file: 'packages/adapters-postgres/src/stores/delivery-log.ts',
    find: '      jobs.wake(recording.jobs);\n',
    replace: '',
    seenBy: [FENCES],
  },
  {
    name: 'job-outlives-a-rollback',
    rule: 'A job comes to be with its transaction, or not at all.',
    file: 'packages/adapters-postgres/src/job-queue.ts',
    find: 'const queued = new Set(await boss.insert(kind, wanted, { db, returnId: true }));',
    replace: 'const queued = new Set(await boss.insert(kind, wanted, { returnId: true }));',
    seenBy: [QUEUE],
    tests: 'rolled back',
  },
  {
    name: 'second-job-of-an-entry-is-dropped',
    rule: 'A job that is queued while another of its entry runs is done after it.',
    file: 'packages/adapters-postgres/src/job-queue.ts',
    find: '    if (again.length > 0) await boss.insert(kind, again, { db });\n',
    replace: '',
    seenBy: [QUEUE],
    tests: 'former job is running',
  },
  {
    name: 'forgotten-before-the-commit',
    rule: 'A job is taken off the queue with the transaction that makes it needless.',
    file: 'packages/adapters-postgres/src/job-queue.ts',
    find: "boss.deleteJob('fulfil-delivery', deliveryId, { db: inTransaction(trx) })",
    replace: "boss.deleteJob('fulfil-delivery', deliveryId)",
    seenBy: [QUEUE],
    tests: 'rolled back',
  },
  {
    name: 'job-that-waits-for-a-retry-counts-as-lost',
    rule: 'A job that waits to be tried again is not lost.',
    file: 'packages/adapters-postgres/src/job-queue.ts',
    find: "state in ('created', 'retry', 'active')",
    replace: "state in ('created', 'active')",
    seenBy: [QUEUE],
    tests: 'for lost',
  },
];

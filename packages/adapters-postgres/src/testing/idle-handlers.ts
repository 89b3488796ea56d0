import type { JobHandlers } from '../jobs/job-outbox.ts';
import { JOB_KINDS } from '../jobs/job-outbox.ts';

/** Handlers that take every job and do nothing, for the kinds of jobs that a test is not about. */
export const IDLE_HANDLERS = Object.fromEntries(
  JOB_KINDS.map((kind) => [kind, async () => 'done']),
) as unknown as JobHandlers;

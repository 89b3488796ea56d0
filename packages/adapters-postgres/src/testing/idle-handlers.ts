import { JOB_KINDS } from '../job-rows.ts';
import type { JobHandlers } from '../workers.ts';

/** Takes every job and does nothing: what a test gives the kinds of jobs that it is not about. */
export const IDLE_HANDLERS = Object.fromEntries(
  JOB_KINDS.map((kind) => [kind, async () => 'done']),
) as unknown as JobHandlers;

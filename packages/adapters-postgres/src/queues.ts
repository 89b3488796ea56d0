import type { Job } from '@handover/domain';
import type { Queue } from 'pg-boss';

export const JOB_SCHEMA = 'pgboss';

export const JOB_KINDS = [
  'fulfil-delivery',
  'send-receipt',
  'send-sign-in-link',
  'send-invitation',
  'settle-delivery',
  'send-alerts',
  'send-link-mail',
] as const satisfies readonly Job['kind'][];

const YEAR = 365 * 24 * 60 * 60;

/** No job may ever be given up: not for its failures, not for its age. */
export const QUEUE_OPTIONS = {
  retryLimit: 1_000_000_000,
  // After a death, which says nothing about the job. Failures are put off by `workers.ts`, with pauses that grow.
  retryDelay: 1,
  retryBackoff: false,
  // How long a job may wait, or wait to be tried again, before pg-boss removes it unseen.
  retentionSeconds: 50 * YEAR,
  // The shortest that pg-boss knows. A job whose process died is free again after this.
  heartbeatSeconds: 10,
  deleteAfterSeconds: 1,
} as const satisfies Omit<Queue, 'name'>;

import { formatRelease, type Job, parseRelease } from '@handover/domain';

export const JOB_KINDS = [
  'fulfil-delivery',
  'resolve-delivery',
  'release-entries',
  'send-email',
] as const satisfies readonly Job['kind'][];

/**
 * Jobs of one lane wait for each other; those of different lanes do not. An order from a webhook does not wait for
 * thousands of released ones, and a sign-in link does not wait for thousands of receipts. The numbers are the
 * concurrent jobs of a lane in one process. Few are for released orders, since each takes a connection from incoming
 * requests.
 */
export const LANE_SIZES = { orders: 64, reruns: 4, receipts: 64, mails: 32 } as const;

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
    case 'send-email':
      return { orgId, emailId: subject };
  }
}

/** The lanes that a worker of this kind takes jobs from. */
export function lanesOf(kind: Job['kind']): readonly Lane[] {
  if (kind === 'send-email') return ['receipts', 'mails'];
  return kind === 'fulfil-delivery' ? ['orders', 'reruns'] : ['reruns'];
}

/** An entry that was decided before was released, maybe with thousands of others. */
function laneOf(job: Job): Lane {
  if (job.kind === 'send-email') return job.emailKind === 'receipt' ? 'receipts' : 'mails';
  // A release continues after the entries that it queued.
  if (job.kind === 'resolve-delivery' || job.kind === 'release-entries') return 'reruns';
  return job.attempts === 0 ? 'orders' : 'reruns';
}

import { formatRelease, type Job, parseRelease } from '@handover/domain';

export const JOB_KINDS = [
  'fulfil-delivery',
  'send-receipt',
  'send-sign-in-link',
  'send-invitation',
  'settle-delivery',
  'release-entries',
  'send-alerts',
  'send-link-mail',
] as const satisfies readonly Job['kind'][];

/**
 * Jobs of one lane wait for each other, those of different lanes do not: an order that came in by a webhook does not wait for
 * thousands that were released, nor the sign-in link that a person waits for for thousands of receipts. So many of a lane
 * run at once in a process; few that were released, since each takes a connection from the requests that come in.
 */
export const LANE_SIZES = { orders: 64, reruns: 4, receipts: 64, mails: 32 } as const;

export type Lane = keyof typeof LANE_SIZES;

/** What a job is about, as its row has it: no two rows have the same. */
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

/** Stands where a job belongs to no organisation: a key has no nulls. */
export const NO_ORGANISATION = '00000000-0000-0000-0000-000000000000';

export function toJobRow(job: Job): JobRow {
  const attempts = 'attempts' in job ? job.attempts : 0;
  return {
    kind: job.kind,
    orgId: 'orgId' in job ? job.orgId : NO_ORGANISATION,
    subject: subjectOf(job),
    lane: laneOf(job.kind, attempts),
    attempts,
    dueAt: job.startAfter,
  };
}

/** The job of a row, as its handler is told of it. */
export function readJob({ kind, orgId, subject, attempts }: JobKey & { readonly attempts: number }) {
  switch (kind) {
    case 'fulfil-delivery':
    case 'settle-delivery':
      return { orgId, deliveryId: subject, attempts };
    case 'release-entries':
      return { orgId, release: parseRelease(subject) };
    case 'send-receipt':
      return { orgId, receiptId: subject };
    case 'send-invitation':
      return { orgId, invitationId: subject };
    case 'send-alerts':
      return { orgId, mailId: subject };
    case 'send-link-mail':
      return { mailId: subject };
    case 'send-sign-in-link':
      return { signInId: subject };
  }
}

/** Jobs of a kind that may be in one lane or another are told apart by their attempts. */
export function lanesOf(kind: Job['kind']): readonly Lane[] {
  return kind === 'fulfil-delivery' ? ['orders', 'reruns'] : [laneOf(kind, 0)];
}

/** An entry that was decided before was released by somebody, maybe with thousands of others. */
function laneOf(kind: Job['kind'], attempts: number): Lane {
  if (kind === 'fulfil-delivery') return attempts === 0 ? 'orders' : 'reruns';
  // A release goes on behind the entries that it queued.
  if (kind === 'settle-delivery' || kind === 'release-entries') return 'reruns';
  return kind === 'send-receipt' ? 'receipts' : 'mails';
}

function subjectOf(job: Job): string {
  if ('deliveryId' in job) return job.deliveryId;
  if ('receiptId' in job) return job.receiptId;
  if ('mailId' in job) return job.mailId;
  if ('release' in job) return formatRelease(job.release);
  return 'invitationId' in job ? job.invitationId : job.signInId;
}

import { type SendEmailPorts, type SendEmailResult, sendEmail } from '../email/send-email.ts';
import type { Job } from '../model/job.ts';
import type { OpenDeliveries } from '../ports/fulfilment.ts';
import {
  type FulfilDeliveryPorts,
  type FulfilDeliveryResult,
  fulfilDelivery,
  resolveDelivery,
} from './fulfil-delivery.ts';
import { releaseEntries } from './release.ts';

/** The ports for jobs of orders and e-mails. */
export type FulfilmentJobPorts = FulfilDeliveryPorts & SendEmailPorts;

/** The ports for all jobs. */
export type JobPorts = FulfilmentJobPorts & { readonly openDeliveries: Pick<OpenDeliveries, 'releaseNext'> };

type WithoutTime<One> = One extends Job ? Omit<One, 'startAfter' | 'emailKind'> : never;

/** A due job. */
export type DueJob = WithoutTime<Job>;

/** The result of a job that sent, or postponed, a mail. */
export type AnsweredMail = Omit<Extract<SendEmailResult, { readonly kind: 'answered' }>, 'kind'> & {
  readonly job: Extract<DueJob, { readonly kind: 'send-email' }>;
};

/**
 * `again`: run it again at that time. `later`: this process cannot do it, but another one may, so it is retried after a
 * pause that grows each time. A job that throws is retried in the same way.
 */
export type JobAnswer = 'done' | 'later' | { readonly again: Date };

/**
 * Runs a job of any kind except bulk actions: see `continueBulk`. `observeMail` gets the result of its mail. A job can run more
 * than once, because a process can crash after the work and before it ends the job; every handler is idempotent.
 */
export async function runJob(
  ports: JobPorts,
  job: Exclude<DueJob, { readonly kind: 'run-bulk-action' }>,
  observeMail: (mail: AnsweredMail) => void = () => undefined,
): Promise<JobAnswer> {
  return job.kind === 'release-entries'
    ? releaseEntries(ports, job)
    : runFulfilmentJob(ports, job, observeMail);
}

/** Runs a job of an order or an e-mail, as {@link runJob} does. */
export async function runFulfilmentJob(
  ports: FulfilmentJobPorts,
  job: Exclude<DueJob, { readonly kind: 'release-entries' | 'run-bulk-action' }>,
  observeMail: (mail: AnsweredMail) => void = () => undefined,
): Promise<JobAnswer> {
  switch (job.kind) {
    case 'fulfil-delivery':
      return readOutcome(await fulfilDelivery(ports, job));
    case 'resolve-delivery':
      return readOutcome(await resolveDelivery(ports, job));
    case 'send-email': {
      const result = await sendEmail(ports, job);
      if (result.kind === 'not-now') return { again: result.at };
      // Not only `not-pending`: stores for an earlier version return `completed`.
      if (result.kind !== 'answered') return 'done';
      const { kind: _kind, ...answered } = result;
      observeMail({ job, ...answered });
      // Another worker holds the claim. This job runs again, in case that worker fails.
      return result.end === 'completed' ? 'done' : { again: ports.clock.now() };
    }
  }

  function readOutcome({ kind }: FulfilDeliveryResult): JobAnswer {
    if (kind === 'unreadable-yet') return 'later';
    return kind === 'changed-meanwhile' ? { again: ports.clock.now() } : 'done';
  }
}

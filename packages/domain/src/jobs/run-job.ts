import { type SendInvitationResult, sendInvitation } from '../access/send-invitation.ts';
import { sendSignInLink } from '../access/send-sign-in-link.ts';
import { sendAlerts } from '../alerts/send-alerts.ts';
import { sendLinkMail } from '../downloads/send-link-mail.ts';
import { type FulfilDeliveryResult, fulfilDelivery, settleDelivery } from '../fulfilment/fulfil-delivery.ts';
import type { FulfilOrderPorts } from '../fulfilment/fulfil-order.ts';
import type { Job } from '../fulfilment/job.ts';
import { releaseEntries } from '../fulfilment/release.ts';
import type {
  DownloadTokens,
  InvitationTokens,
  LimitedMailer,
  OrderReader,
  SignInTokens,
  Stores,
} from '../ports.ts';
import type { ClaimEnd } from '../receipts/mail-claim.ts';
import { sendReceipt } from '../receipts/send-receipt.ts';

/** All that jobs ask of the world outside. */
export interface JobPorts
  extends FulfilOrderPorts,
    Pick<
      Stores,
      'deliveries' | 'openDeliveries' | 'receipts' | 'linkMails' | 'alerts' | 'invitations' | 'signIns'
    > {
  readonly orders: OrderReader;
  readonly mailer: LimitedMailer;
  readonly tokens: DownloadTokens;
  readonly invitationTokens: InvitationTokens;
  readonly signInTokens: SignInTokens;
  /** Root address of the service, without a slash at the end. */
  readonly siteUrl: string;
}

type WithoutTime<One> = One extends Job ? Omit<One, 'startAfter'> : never;

/** A job whose time has come. */
export type DueJob = WithoutTime<Job>;

/** What a mail server, or the hourly limit, said to the mail of a job. */
export interface AnsweredMail {
  readonly job: DueJob;
  readonly answer: Extract<SendInvitationResult, { readonly kind: 'answered' }>['answer'];
  /** It is not tried again. */
  readonly isGivenUp: boolean;
  /** Whether it was written down. */
  readonly end: ClaimEnd;
}

/**
 * `again`: not now, but at that time. `later`: this process cannot do it, another one may; so again, after a pause that
 * grows each time. To throw means the same of a failure.
 */
export type JobAnswer = 'done' | 'later' | { readonly again: Date };

/**
 * Does a job of any kind; `noteAnswer` hears what became of its mail. Handlers must be idempotent: a job can run more than
 * once, since a process may die after the work and before it is noted.
 */
export async function runJob(
  ports: JobPorts,
  job: DueJob,
  noteAnswer: (mail: AnsweredMail) => void = () => undefined,
): Promise<JobAnswer> {
  switch (job.kind) {
    case 'fulfil-delivery':
      return readOutcome(await fulfilDelivery(ports, job));
    case 'settle-delivery':
      return readOutcome(await settleDelivery(ports, job));
    case 'release-entries':
      return releaseEntries(ports, job);
    case 'send-receipt':
      return readResult(await sendReceipt(ports, job));
    case 'send-link-mail':
      return readResult(await sendLinkMail(ports, job.mailId));
    case 'send-alerts':
      return readResult(await sendAlerts(ports, job));
    case 'send-invitation':
      return readResult(await sendInvitation(ports, job));
    case 'send-sign-in-link': {
      const result = await sendSignInLink(ports, job);
      if (result.kind === 'closed') return 'done';
      readResult({ ...result, end: 'settled' });
      return result.againAt ? { again: result.againAt } : 'done';
    }
  }

  function readOutcome({ kind }: FulfilDeliveryResult): JobAnswer {
    if (kind === 'unreadable-yet') return 'later';
    return kind === 'changed-meanwhile' ? { again: ports.clock.now() } : 'done';
  }

  function readResult(result: MailResult): JobAnswer {
    if (result.kind === 'not-now') return { again: result.at };
    if (result.kind === 'answered') {
      const { answer, end, isGivenUp = answer.kind === 'refused' } = result;
      noteAnswer({ job, answer, isGivenUp, end });
      // Another worker has the claim, and may fail in turn, with no job left but this.
      if (end !== 'settled') return { again: ports.clock.now() };
    }
    return 'done';
  }
}

type MailResult =
  | { readonly kind: 'settled' }
  | { readonly kind: 'not-now'; readonly at: Date }
  | ({ readonly kind: 'answered'; readonly isGivenUp?: boolean } & Pick<AnsweredMail, 'answer' | 'end'>);

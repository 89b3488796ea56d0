import type { AnsweredMail, ClaimEnd, DueJob } from '@handover/domain';

type Write = (details: object, line: string) => void;

/** Logs what became of the mail of a job. */
export function logAnswer(
  log: { readonly info: Write; readonly warn: Write; readonly error: Write },
  { job, answer, isGivenUp, end }: AnsweredMail,
): void {
  const { kind, ...named } = job;
  const what = MAILS[kind];
  if (answer.kind === 'postponed') {
    log.warn({ ...named, reason: answer.answer }, `${what} waits`);
    return;
  }
  const details = { ...named, mailServer: answer.answer };
  if (end !== 'settled') log.warn(details, `${what} answered; ${UNNOTED[end]}`);
  else if (answer.kind === 'accepted') log.info(details, `${what} sent`);
  else if (isGivenUp) log.error(details, `${what} refused for good`);
  else log.warn(details, `${what} not taken; it is tried again`);
}

const MAILS: Readonly<Record<DueJob['kind'], string>> = {
  'fulfil-delivery': 'order',
  'settle-delivery': 'order',
  'release-entries': 'release',
  'send-alerts': 'alert',
  'send-receipt': 'receipt',
  'send-link-mail': 'new links',
  'send-invitation': 'invitation',
  'send-sign-in-link': 'sign-in link',
};

const UNNOTED: Readonly<Record<Exclude<ClaimEnd, 'settled'>, string>> = {
  'not-held':
    'not recorded, since its claim was lost: another process has the mail, or it is not due any more',
  'perhaps-settled':
    'an answer of the database was lost: either this was recorded, or its claim was lost before that',
};

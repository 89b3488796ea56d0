import type { AnsweredMail, ClaimEnd, EmailKind } from '@handover/domain';

type Write = (details: object, line: string) => void;

/** Logs the outcome of a job's mail. */
export function logAnswer(
  log: { readonly info: Write; readonly warn: Write; readonly error: Write },
  { job, emailKind, answer, isGivenUp, end }: AnsweredMail,
): void {
  const { kind: _kind, ...named } = job;
  const what = EMAILS[emailKind];
  if (answer.kind === 'postponed') {
    log.warn({ ...named, reason: answer.answer }, `${what} waits`);
    return;
  }
  const details = { ...named, mailServer: answer.answer };
  if (end !== 'completed') log.warn(details, `${what} answered; ${UNNOTED[end]}`);
  else if (answer.kind === 'accepted') log.info(details, `${what} sent`);
  else if (isGivenUp) log.error(details, `${what} refused for good`);
  else log.warn(details, `${what} not taken; it is tried again`);
}

const EMAILS: Readonly<Record<EmailKind, string>> = {
  alert: 'alert',
  receipt: 'receipt',
  links: 'new links',
  invitation: 'invitation',
  'sign-in': 'sign-in link',
};

const UNNOTED: Readonly<Record<Exclude<ClaimEnd, 'completed'>, string>> = {
  'not-held':
    'not recorded, since its claim was lost: another process has the mail, or it is not due any more',
  'perhaps-completed':
    'an answer of the database was lost: either this was recorded, or its claim was lost before that',
};

import type { AnsweredMail, ClaimEnd, Decision, EmailKind, TraceContext } from '@handover/domain';
import { traceIdOf } from '../telemetry/tracing.ts';

type Write = (details: object, line: string) => void;

/** Logs the outcome of a job's mail. */
export function logAnswer(
  log: { readonly info: Write; readonly warn: Write; readonly error: Write },
  { job, emailKind, answer, isGivenUp, end, about }: AnsweredMail,
): void {
  const { kind: _kind, ...ids } = job;
  const named = { ...ids, ...nameSubject(about) };
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

/** Logs what a job decided of an order. A request has a line of its own. */
export function logDecision(log: { readonly info: Write }, { order, delivery, plan }: Decision): void {
  const { orgId, platform, orderId, orderNumber } = order;
  const { status: deliveryStatus, reason } = plan.delivery;
  const named = { orgId, platform, deliveryId: delivery.id, orderId, orderNumber };
  log.info(
    { ...named, ...nameTrace(delivery.traceContext), deliveryStatus, ...(reason && { reason }) },
    'order decided',
  );
}

function nameSubject(about: AnsweredMail['about']): object {
  const { orderNumber, delivery } = about ?? {};
  return {
    ...(delivery && { deliveryId: delivery.id, ...nameTrace(delivery.traceContext) }),
    ...(orderNumber && { orderNumber }),
  };
}

function nameTrace(traceContext: TraceContext | null | undefined): object {
  const traceId = traceIdOf(traceContext);
  return traceId === null ? {} : { traceId };
}

const EMAILS: Readonly<Record<EmailKind, string>> = {
  alert: 'alert',
  receipt: 'receipt',
  links: 'new links',
  invitation: 'invitation',
  'sign-in': 'sign-in link',
  'new-device': 'notice of a new device',
};

const UNNOTED: Readonly<Record<Exclude<ClaimEnd, 'completed'>, string>> = {
  'not-held':
    'not recorded, since its claim was lost: another process has the mail, or it is not due any more',
  'perhaps-completed':
    'an answer of the database was lost: either this was recorded, or its claim was lost before that',
};

import type { AnsweredMail, ClaimEnd, Decision, EmailKind, TraceContext } from '@handover/domain';
import pino, { type Logger } from 'pino';
import pretty from 'pino-pretty';
import sonic from 'sonic-boom';
import { traceIdOf } from '../telemetry/tracing.ts';

/** The service's log: one JSON object per line; pretty-printed on a terminal. */
export function createLog(): Logger {
  const options = {
    level: 'info',
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: hideSecrets },
    serializers: { err: describeError },
  };
  if (!process.stdout.isTTY) return pino(options, openOutput());
  return pino(options, pretty({ translateTime: 'HH:MM:ss', singleLine: true, ignore: 'pid,hostname' }));
}

const SECRETS: ReadonlySet<string> = new Set(['secret', 'password', 'token', 'apiKey', 'authorization']);

/**
 * Defence in depth: no secret should reach the log. It covers what a line says and the members of that, as `redact`
 * of the library would, which takes as long as the rest of the line.
 */
function hideSecrets(facts: object): Record<string, unknown> {
  return hideMembers(facts, (value) => (isRecord(value) ? hideMembers(value, (inner) => inner) : value));
}

function describeError(error: unknown): unknown {
  const described: unknown = error instanceof Error ? pino.stdSerializers.err(error) : error;
  return typeof described === 'object' && described !== null ? hideSecrets(described) : described;
}

/** Nearly every line has nothing to hide, and is not copied. */
function hideMembers(facts: object, show: (value: unknown) => unknown): Record<string, unknown> {
  const given = facts as Readonly<Record<string, unknown>>;
  let shown = given;
  for (const name of Object.keys(given)) {
    const value = given[name];
    const visible = SECRETS.has(name) && value !== undefined ? '[Redacted]' : show(value);
    if (visible !== value) shown = { ...shown, [name]: visible };
  }
  return shown;
}

/** What has a form of its own in the log is left alone; errors are described first. */
function isRecord(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return !(Array.isArray(value) || value instanceof Error || 'toJSON' in value);
}

const FLUSH_AFTER_MS = 20;
const FLUSH_AFTER_BYTES = 8 * 1024;
/** Lines beyond that are lost while a full disk, or a reader that stands still, takes none. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/** Writes lines of the same moment together: each write is a system call, handed to another thread. */
function openOutput() {
  // Newer than the one of pino, which never returns from a flush to a full disk.
  const output = new sonic.SonicBoom({ fd: 1, minLength: FLUSH_AFTER_BYTES, maxLength: MAX_WAITING_BYTES });
  // The service goes on without its log. What was not written is tried again with the next lines.
  output.on('error', () => undefined);
  const flushSync = () => {
    try {
      output.flushSync();
    } catch {
      // An error here would end the process.
    }
  };
  process.on('exit', flushSync);
  let isWaiting = false;
  const flush = () => {
    isWaiting = false;
    output.flush();
  };
  return {
    write: (line: string) => {
      output.write(line);
      if (isWaiting) return;
      isWaiting = true;
      setTimeout(flush, FLUSH_AFTER_MS);
    },
    // Called after a fatal line.
    flushSync,
  };
}

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

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RequestTracing } from '../http-ports.ts';

/** What a route can add to the request's log line. Never a secret, a token or a body. */
export interface LogFacts {
  readonly orgId?: string | undefined;
  readonly userId?: string;
  /** The first and last characters of an API key, by which people recognise it. */
  readonly apiKey?: string;
  readonly platform?: string;
  readonly deliveryId?: string | undefined;
  readonly orderId?: string | null;
  /** The number that buyer and shop know the order by. */
  readonly orderNumber?: string | null;
  readonly deliveryStatus?: string;
  /** The number of webhook log entries that one request created, if more than one. */
  readonly deliveries?: number;
  readonly reason?: string;
  readonly fulfilment?: 'too-slow' | 'failed';
  readonly error?: unknown;
}

/** Logs one line per request when its connection is done with it, answered or aborted. */
export function logRequests(app: FastifyInstance, tracing?: Pick<RequestTracing, 'traceIdOf'>): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => writeLine(request, reply, tracing?.traceIdOf(request) ?? null));
    done();
  });
}

export function addLogContext(request: FastifyRequest, facts: LogFacts): void {
  const added = factsOf.get(request);
  if (added) Object.assign(added, facts);
  else factsOf.set(request, { ...facts });
}

const factsOf = new WeakMap<FastifyRequest, LogFacts>();

function writeLine(request: FastifyRequest, reply: FastifyReply, traceId: string | null): void {
  const facts = factsOf.get(request);
  const error = facts?.error;
  const line = {
    method: request.method,
    // The pattern, never the URL: the URL can contain tokens, and a secret in its query.
    route: request.routeOptions.url ?? 'none',
    // Null: the client went away before an answer was sent.
    status: reply.raw.headersSent ? reply.statusCode : null,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    ip: request.ip,
    ...facts,
    // What is undefined is not written.
    error: undefined,
    traceId: traceId ?? undefined,
    brokenOff: reply.raw.writableFinished ? undefined : true,
    err: error === undefined ? undefined : describeError(error),
  };
  if (reply.statusCode === 500) request.log.error(line, 'request');
  else if (error !== undefined || reply.statusCode > 500) request.log.warn(line, 'request');
  else request.log.info(line, 'request');
}

/** Only the members that identify the fault: driver errors carry rows and addresses in others. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return { type: error.name, code, message: error.message.slice(0, 500), stack: error.stack };
}

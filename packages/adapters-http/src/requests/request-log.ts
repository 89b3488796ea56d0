import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** What a route can add to the line that its request leaves in the log. Never a secret, a token or a body. */
export interface LogFacts {
  readonly orgId?: string | undefined;
  readonly userId?: string;
  /** The ends of an API key, as people recognise it. */
  readonly apiKey?: string;
  readonly platform?: string;
  readonly deliveryId?: string | undefined;
  readonly orderId?: string | null;
  readonly deliveryStatus?: string;
  /** Entries of the webhook log that one request made, when more than one. */
  readonly deliveries?: number;
  readonly reason?: string;
  readonly fulfilment?: 'too-slow' | 'failed';
  readonly error?: unknown;
}

/** One line per request, written when its connection is done with it, by answer or by going away. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.raw.once('close', () => writeLine(request, reply));
  });
}

export function addLogContext(request: FastifyRequest, facts: LogFacts): void {
  factsOf.set(request, { ...factsOf.get(request), ...facts });
}

const factsOf = new WeakMap<FastifyRequest, LogFacts>();

function writeLine(request: FastifyRequest, reply: FastifyReply): void {
  const { error, ...facts } = factsOf.get(request) ?? {};
  const whole = reply.raw.writableFinished;
  const line = {
    method: request.method,
    // The pattern, never the URL: that one holds tokens, and a secret in its query.
    route: request.routeOptions.url ?? 'none',
    // Null: it was gone before it could be answered.
    status: reply.raw.headersSent ? reply.statusCode : null,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    ip: request.ip,
    ...facts,
    ...(whole ? {} : { brokenOff: true }),
    ...(error === undefined ? {} : { err: describeError(error) }),
  };
  if (reply.statusCode === 500) request.log.error(line, 'request');
  else if (error !== undefined || reply.statusCode > 500) request.log.warn(line, 'request');
  else request.log.info(line, 'request');
}

/** Only what names the fault. Errors of drivers carry rows and addresses in their other members. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return { type: error.name, code, message: error.message.slice(0, 500), stack: error.stack };
}

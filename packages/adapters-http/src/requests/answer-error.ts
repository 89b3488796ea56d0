import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { classifyFailure, type Failure } from './classify-failure.ts';
import { addLogContext } from './request-log.ts';

/** Sends an error in the format of its endpoint: JSON, text or a fragment. */
export type Refuse = (reply: FastifyReply, status: number, sentence: string) => FastifyReply;

/** The body of every JSON error: one member. */
export function refuseAsJson(reply: FastifyReply, status: number, error: string): FastifyReply {
  return reply.code(status).send({ error });
}

/** The body of every plain-text error: one sentence or two. */
export function refuseAsText(reply: FastifyReply, status: number, error: string): FastifyReply {
  return reply
    .code(status)
    .headers({ 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' })
    .send(`${error}\n`);
}

/**
 * Makes an error handler. `words` replaces messages of some errors, by code. A 500 carries a reference that finds the
 * request in the log.
 */
export function answerFailure(refuse: Refuse, words: ReadonlyMap<string, string> = new Map()) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { status, message, retryAfterSeconds } = classifyFailure(error);
    const sentence = words.get(error.code) ?? message;
    addLogContext(request, status >= 500 ? { error } : { reason: sentence });
    if (retryAfterSeconds !== null) reply.header('retry-after', retryAfterSeconds);
    return refuse(reply, status, status === 500 ? `${sentence} Reference: ${request.id}` : sentence);
  };
}

/** Makes the not-found handler in the same format. */
export function answerNothingHere(refuse: Refuse) {
  return (_request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    refuse(reply, 404, 'There is nothing here. Check the method and the path against the documentation.');
}

/** What a page says about a failure. */
export interface ShownFailure extends Failure {
  /** Finds the request in the log. */
  readonly reference: string;
  /** The page was only read, and may be there in a moment. */
  readonly canLoadAgain: boolean;
}

/** Logs the failure of a page, and tells its reader when to try again. */
export function noteFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): ShownFailure {
  const failure = classifyFailure(error);
  const { status, retryAfterSeconds } = failure;
  addLogContext(request, status >= 500 ? { error } : {});
  if (retryAfterSeconds !== null) reply.header('retry-after', retryAfterSeconds);
  const canLoadAgain = request.method === 'GET' && retryAfterSeconds !== null;
  return { ...failure, reference: request.id, canLoadAgain };
}

/** Sets `Retry-After`. */
export function retryLater(reply: FastifyReply, until: Date, now: Date): void {
  reply.header('retry-after', Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000)));
}

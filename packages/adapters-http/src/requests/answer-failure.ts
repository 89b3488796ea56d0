import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { classifyFailure } from './classify-failure.ts';
import { addLogContext } from './request-log.ts';

type Refuse = (reply: FastifyReply, status: number, sentence: string) => FastifyReply;

/**
 * Makes an error handler that answers with `refuse`: as JSON, text or a fragment. `words` replaces messages
 * of some errors, by code. A 500 carries a reference that finds the request in the log.
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

/** Sets `Retry-After`. */
export function retryLater(reply: FastifyReply, until: Date, now: Date): void {
  reply.header('retry-after', Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000)));
}

import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { classifyFailure } from './classify-failure.ts';
import { addLogContext } from './request-log.ts';

type Refuse = (reply: FastifyReply, status: number, sentence: string) => FastifyReply;

/**
 * Makes the error handler of the parts that `refuse` so: as JSON, as text, as a fragment. `words` are their own for
 * some failures, by the error's code. What is our fault is told with a reference, by which the log is searched.
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

/** Makes the not-found handler of the same parts. */
export function answerNothingHere(refuse: Refuse) {
  return (_request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    refuse(reply, 404, 'There is nothing here. Check the method and the path against the documentation.');
}

/** Says in a header when a request may come again. */
export function retryLater(reply: FastifyReply, until: Date, now: Date): void {
  reply.header('retry-after', Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000)));
}

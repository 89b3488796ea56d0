import type { FastifyReply, FastifyRequest } from 'fastify';
import { classifyFailure } from './classify-failure.ts';
import { noteForLog } from './request-log.ts';

/** The body of every plain-text error: one sentence or two. */
export function refuseAsText(reply: FastifyReply, status: number, error: string): FastifyReply {
  return reply
    .code(status)
    .headers({ 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' })
    .send(`${error}\n`);
}

/** Error handler of the parts that speak plain text. */
export function answerTextFailure(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { status, message, retryAfterSeconds } = classifyFailure(error);
  noteForLog(request, status >= 500 ? { error } : { reason: message });
  if (retryAfterSeconds !== null) reply.header('retry-after', retryAfterSeconds);
  return refuseAsText(reply, status, status === 500 ? `${message} Reference: ${request.id}` : message);
}

/** Not-found handler of the parts that speak plain text. */
export function answerNoText(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return refuseAsText(
    reply,
    404,
    'There is nothing here. Check the method and the path against the documentation.',
  );
}

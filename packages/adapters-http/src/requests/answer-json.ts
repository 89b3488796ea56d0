import type { FastifyReply, FastifyRequest } from 'fastify';
import { classifyFailure } from './classify-failure.ts';
import { noteForLog } from './request-log.ts';

/** The body of every JSON error: one member. */
export function refuse(reply: FastifyReply, status: number, error: string): FastifyReply {
  return reply.code(status).send({ error });
}

/** Error handler of the parts that speak JSON. */
export function answerJsonFailure(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { status, message, retryAfterSeconds } = classifyFailure(error);
  noteForLog(request, status >= 500 ? { error } : { reason: message });
  if (retryAfterSeconds !== null) reply.header('retry-after', retryAfterSeconds);
  return refuse(reply, status, status === 500 ? `${message} Reference: ${request.id}` : message);
}

/** Not-found handler of the parts that speak JSON. */
export function answerNoEndpoint(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return refuse(
    reply,
    404,
    'There is nothing here. Check the method and the path against the documentation.',
  );
}

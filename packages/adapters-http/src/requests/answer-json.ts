import type { FastifyReply } from 'fastify';
import { answerFailure, answerNothingHere } from './answer-failure.ts';

/** The body of every JSON error: one member. */
export function refuseAsJson(reply: FastifyReply, status: number, error: string): FastifyReply {
  return reply.code(status).send({ error });
}

/** Error handler for JSON routes. */
export const answerJsonFailure = answerFailure(refuseAsJson);

/** Not-found handler for JSON routes. */
export const answerNoEndpoint = answerNothingHere(refuseAsJson);

import type { FastifyReply } from 'fastify';
import { answerFailure, answerNothingHere } from './answer-failure.ts';

/** The body of every plain-text error: one sentence or two. */
export function refuseAsText(reply: FastifyReply, status: number, error: string): FastifyReply {
  return reply
    .code(status)
    .headers({ 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' })
    .send(`${error}\n`);
}

/** Error handler for plain-text routes. */
export const answerTextFailure = answerFailure(refuseAsText);

/** Not-found handler for plain-text routes. */
export const answerNoText = answerNothingHere(refuseAsText);

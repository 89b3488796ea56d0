import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { joinWithOr } from '../pages/words.ts';
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

/** Makes the handler of requests that no route takes, in the same format: 405 where its path takes another method. */
export function answerNothingHere(refuse: Refuse) {
  return ({ method, server, url }: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const [path = ''] = url.split('?', 1);
    const methods = server.methodsAt(path);
    if (methods.length === 0)
      return refuse(reply, 404, 'There is nothing here. Check the path against the documentation.');
    reply.header('allow', methods.join(', '));
    return refuse(reply, 405, `This address takes ${joinWithOr(methods)}, not ${method}.`);
  };
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

/**
 * For requests that are not valid HTTP. The error itself is not logged, because it contains the raw bytes
 * of the request.
 */
export function answerUnreadableRequest(headers: Readonly<Record<string, string>>) {
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return function (this: FastifyInstance, error: Error & { readonly code?: string }, socket: Socket): void {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const { status, problem } = check(error.code);
    this.log.info({ status, code: error.code }, 'unreadable request');
    if (socket.writable) {
      const body = JSON.stringify({ error: problem });
      socket.write(
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}content-type: application/json\r\n` +
          `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
      );
    }
    socket.destroy();
  };
}

function check(code: string | undefined): { readonly status: number; readonly problem: string } {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return { status: 408, problem: 'The request came too slowly.' };
  if (code === 'HPE_HEADER_OVERFLOW') return { status: 431, problem: 'The headers are too large.' };
  return { status: 400, problem: 'The request could not be read. It may have broken off on its way.' };
}

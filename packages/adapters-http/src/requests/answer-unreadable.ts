import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuseAsJson, refuseAsText } from './answer-error.ts';

/** For URLs that cannot be decoded, or with a segment longer than any of our names: the answer is 404. */
export function answerFrameworkError(_error: Error, request: FastifyRequest, reply: FastifyReply): void {
  request.log.info({ method: request.method, route: 'none', status: 404 }, 'request');
  const answer = request.url.startsWith('/api/reports/') ? refuseAsText : refuseAsJson;
  answer(reply, 404, 'There is nothing here: the address cannot be read.');
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

import type { FinishUploadResult } from '@handover/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FROZEN_VERSION, UNKNOWN_VERSION } from '../api/refusal-sentences.ts';
import { refuseAsJson } from '../requests/answer-error.ts';
import { addLogContext } from '../requests/request-log.ts';
import type { TusAnswer } from './tus-protocol.ts';

/** In every answer about an upload. */
export const PROTOCOL = { 'tus-resumable': '1.0.0' };

export function answerTus(request: FastifyRequest, reply: FastifyReply, answer: TusAnswer): FastifyReply {
  const { status, headers, problem } = answer;
  if (status >= 300) return refusePiece(request, reply.headers(headers), ...explain(status, problem));
  return reply.code(status).headers(headers).send();
}

/** Replaces the library's message where it is unclear. */
function explain(status: number, problem: string): [number, string] {
  if (status === 404 || status === 410) return [404, UNKNOWN];
  if (status === 409)
    return [409, '“Upload-Offset” is not where the upload is. Ask for it with HEAD, and go on there.'];
  if (status === 413) {
    return [
      413,
      'These are more bytes than the upload may still have. Ask for its offset and length with HEAD.',
    ];
  }
  if (status === 400) return [400, `${problem.replace(/[^.]$/, '$&.')} See the tus protocol, version 1.0.0.`];
  return [status, problem.replace(/[^.]$/, '$&.')];
}

const UNKNOWN = 'There is no such upload. It may have been given up; begin a new one.';

export function refuseUnknown(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return refusePiece(request, reply, 404, UNKNOWN);
}

export function refuseFinish(
  request: FastifyRequest,
  reply: FastifyReply,
  result: Exclude<FinishUploadResult, { readonly kind: 'added' }>,
): FastifyReply {
  switch (result.kind) {
    case 'invalid':
      return refusePiece(request, reply, 400, `“filename” ${result.problem}.`);
    case 'unknown-version':
      return refusePiece(request, reply, 404, UNKNOWN_VERSION.sentence);
    case 'frozen':
      // Not 409: to a tus client that means a wrong offset, and to try again.
      return refusePiece(request, reply, 410, FROZEN_VERSION.sentence);
    case 'damaged':
      return refusePiece(
        request,
        reply,
        400,
        'What came in has another SHA-256 than “sha256” said, and nothing of it was kept. Send the file again.',
      );
  }
}

export function refusePiece(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  sentence: string,
): FastifyReply {
  addLogContext(request, { reason: sentence });
  return refuseAsJson(reply.headers(PROTOCOL), status, sentence);
}

import type { Html } from '@handover/html';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Wording } from '../messages/wording-of.ts';
import { classifyFailure } from '../requests/classify-failure.ts';
import { negotiateWording } from '../requests/negotiate-language.ts';
import { addLogContext } from '../requests/request-log.ts';
import { failurePage, notFoundPage } from './plain-pages.ts';

interface Allowances {
  /** Whether the page may frame other pages of ours. */
  readonly frames?: 'none' | 'own';
  /** Whether the page may run our script files and let them send requests to us. */
  readonly scripts?: 'none' | 'own';
}

/** Sends a page with the headers of every page. */
export function sendPage(
  reply: FastifyReply,
  status: number,
  page: Html,
  allowances: Allowances = {},
): FastifyReply {
  return reply.code(status).headers(headersOfPages(allowances)).send(String(page));
}

/** Sends a page that is written in a language of the buyer. */
export function sendBuyerPage(
  reply: FastifyReply,
  status: number,
  { formats }: Wording,
  page: Html,
  allowances: Allowances = {},
): FastifyReply {
  reply.headers({ 'content-language': formats.locale, vary: 'accept-language' });
  return sendPage(reply, status, page, allowances);
}

export function headersOfPages({ frames = 'none', scripts = 'none' }: Allowances) {
  const policy = [
    CONTENT_POLICY,
    ...(frames === 'own' ? ["frame-src 'self'"] : []),
    ...(scripts === 'own' ? ["script-src 'self'; connect-src 'self'"] : []),
  ].join('; ');
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    // The address of a download page is a credential, so no referrer is sent.
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'private, no-store',
  };
}

const CONTENT_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; form-action 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'";

/** Not-found handler for everything outside the API. */
export function answerNoPage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const wording = negotiateWording(request);
  return sendBuyerPage(reply, 404, wording, notFoundPage(wording));
}

/** Error handler of the pages. */
export function answerPageFailure(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const failure = classifyFailure(error);
  const { status, retryAfterSeconds } = failure;
  addLogContext(request, status >= 500 ? { error } : {});
  if (retryAfterSeconds !== null) reply.header('retry-after', retryAfterSeconds);
  const wording = negotiateWording(request);
  const page = failurePage(wording, failure, {
    reference: request.id,
    canLoadAgain: request.method === 'GET' && (retryAfterSeconds !== null || status === 500),
  });
  return sendBuyerPage(reply, status, wording, page);
}

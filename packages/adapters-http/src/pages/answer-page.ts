import type { Html } from '@handover/html';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Wording } from '../messages/wording-of.ts';
import { noteFailure } from '../requests/answer-error.ts';
import { negotiateWording } from '../requests/negotiate-language.ts';
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
  wording: Wording,
  page: Html,
  allowances: Allowances = {},
): FastifyReply {
  return reply.code(status).headers(headersOfBuyerPages(wording, allowances)).send(String(page));
}

export function headersOfBuyerPages({ formats }: Wording, allowances: Allowances = {}) {
  return {
    'content-language': formats.locale,
    vary: 'accept-language',
    ...headersOfPages(allowances),
  };
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

/**
 * The headers of a mail's HTML in a frame of a page of ours. It has inline styles, as mails need them, and may do nothing
 * but what the sandbox allows.
 */
export function headersOfFramedMail(sandbox: string): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; " +
      `sandbox ${sandbox}`.trim(),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, no-store',
  };
}

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
  const failure = noteFailure(error, request, reply);
  const wording = negotiateWording(request);
  const { status } = failure;
  // Whatever broke may work the next time, and reading a page again does no harm.
  const canLoadAgain = failure.canLoadAgain || (request.method === 'GET' && status === 500);
  return sendBuyerPage(reply, status, wording, failurePage(wording, { ...failure, canLoadAgain }));
}

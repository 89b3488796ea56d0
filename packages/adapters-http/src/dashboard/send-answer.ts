import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Sessions } from '../auth/sessions.ts';
import { headersOfPages } from '../pages/answer-page.ts';
import type { Answer } from './dashboard-route.ts';
import { notFoundAnswer } from './refusals.ts';
import { alonePage, type Shell, shellPage } from './shell.ts';
import type { ToastCookie } from './toast-cookie.ts';

/** What the dashboard keeps in cookies. */
export interface BrowserState {
  readonly sessions: Sessions;
  readonly toasts: ToastCookie;
}

/** Turns an answer into a response, with the headers that all of the dashboard has. */
export function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  shell: Shell | null,
  { sessions, toasts }: BrowserState,
): FastifyReply {
  reply.headers(HEADERS);
  if (answer.kind === 'redirect') {
    if (answer.toast) toasts.set(reply, answer.toast);
    if (answer.session === 'ends') sessions.end(reply);
    else if (answer.session) sessions.begin(reply, answer.session.begins);
    // A browser follows a redirect before htmx sees it, and the page it leads to would come to stand within this one.
    if (request.headers['hx-request']) return reply.header('hx-redirect', answer.to).send();
    return reply.redirect(answer.to, 303);
  }
  if (answer.kind === 'file') {
    const disposition = `attachment; filename="${answer.name}"`;
    return reply
      .headers({ 'content-type': answer.contentType, 'content-disposition': disposition })
      .send(answer.content);
  }
  if (answer.kind === 'fragment')
    return reply.code(answer.main === null ? 204 : 200).send(answer.main && String(answer.main));
  if (answer.kind === 'document') return reply.send(String(answer.document));
  const page = answer.kind === 'not-found' ? notFoundAnswer() : answer;
  if (page.kind !== 'page' && page.kind !== 'alone') throw new TypeError('Not a page.');
  const { status = 200 } = page;
  const framed = page.kind === 'page' ? shell : null;
  // Shown now, so not again.
  if (framed?.toast) toasts.clear(reply);
  // A fragment was asked for and something else came of it: htmx shows that in place of the whole page.
  if (status >= 400 && request.headers['hx-request']) reply.headers(IN_PLACE_OF_THE_PAGE);
  return reply.code(status).send(String(framed ? shellPage(framed, page) : alonePage(page)));
}

const HEADERS = {
  ...headersOfPages({ scripts: 'own' }),
  // To nobody else; but our own forms must say where they come from.
  'referrer-policy': 'same-origin',
};

const IN_PLACE_OF_THE_PAGE = { 'hx-retarget': 'body', 'hx-reselect': 'body > *', 'hx-reswap': 'innerHTML' };

import type { Html } from '@handover/html';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SiteCookie } from '../auth/cookies.ts';
import type { Sessions } from '../auth/sessions.ts';
import { headersOfFramedMail, headersOfPages } from '../pages/answer-page.ts';
import type { SentAnswer } from './dashboard-route.ts';
import { alonePage, type Shell, shellPage } from './shell.ts';
import type { ToastCookie } from './toast-cookie.ts';

/** The dashboard's cookies. */
export interface BrowserState {
  readonly sessions: Sessions;
  readonly toasts: ToastCookie;
  /** The token by which a browser is known from earlier sign-ins. */
  readonly devices: SiteCookie;
}

/** Turns an answer into a response, with the headers of every dashboard page. */
export function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: SentAnswer,
  shell: Shell | null,
  { sessions, toasts, devices }: BrowserState,
): FastifyReply {
  if (answer.kind === 'framed-mail') return reply.headers(FRAMED_HEADERS).send(answer.html);
  reply.headers(HEADERS);
  if (answer.kind === 'redirect') {
    if (answer.toast) toasts.set(reply, answer.toast);
    if (answer.session === 'ends') sessions.end(reply);
    else if (answer.session) sessions.begin(reply, answer.session.begins);
    if (answer.deviceToken) devices.set(reply, answer.deviceToken);
    // A browser follows a redirect before htmx sees it, and htmx would insert the target page into this
    // one.
    if (request.headers['hx-request']) return reply.header('hx-redirect', answer.to).send();
    return reply.redirect(answer.to, 303);
  }
  if (answer.kind === 'json') {
    if (answer.session && answer.session !== 'ends') sessions.begin(reply, answer.session.begins);
    if (answer.deviceToken) devices.set(reply, answer.deviceToken);
    return reply
      .code(answer.status ?? 200)
      .header('content-type', 'application/json; charset=utf-8')
      .send(JSON.stringify(answer.value));
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
  const { status = 200 } = answer;
  if (answer.kind === 'page' && answer.frames) reply.headers(FRAMING_HEADERS);
  const framed = answer.kind === 'page' ? shell : null;
  // Shown now, so not again.
  if (framed?.toast) toasts.clear(reply);
  // The request was for a fragment, but failed: htmx replaces the whole page with the error.
  if (status >= 400 && request.headers['hx-request']) reply.headers(IN_PLACE_OF_THE_PAGE);
  return reply.code(status).send(String(renderPage(answer, status, framed)));
}

function renderPage(
  page: Extract<SentAnswer, { kind: 'page' | 'alone' }>,
  status: number,
  shell: Shell | null,
): Html {
  // A screen reader says the title first, and the page of a refused form has the name of the one before.
  const name = page.kind === 'page' ? (page.windowTitle ?? page.title) : page.title;
  const windowTitle = status === 400 ? `${countProblems(page.main)}: ${name}` : name;
  return shell ? shellPage(shell, { ...page, windowTitle }) : alonePage({ ...page, title: windowTitle });
}

/** Of a form: the fields that were refused. */
function countProblems(main: Html): string {
  const count = String(main).split('aria-invalid="true"').length - 1;
  return count > 1 ? `${count} problems` : 'Problem';
}

// No referrer for other sites; but our own forms must send their origin.
const REFERRER = { 'referrer-policy': 'same-origin' };
const HEADERS = { ...headersOfPages({ scripts: 'own' }), ...REFERRER };
const FRAMING_HEADERS = { ...headersOfPages({ scripts: 'own', frames: 'own' }), ...REFERRER };
const FRAMED_HEADERS = headersOfFramedMail('');

const IN_PLACE_OF_THE_PAGE = { 'hx-retarget': 'body', 'hx-reselect': 'body > *', 'hx-reswap': 'innerHTML' };

import { isFresh } from '@handover/domain';
import type { FastifyRequest } from 'fastify';
import { checkCsrfToken, readCsrfToken } from '../auth/csrf.ts';
import type { Session } from '../auth/sessions.ts';
import type { HttpPorts } from '../http-ports.ts';
import type { DashboardRoute, SentAnswer } from './dashboard-route.ts';
import { keptFormAnswer } from './kept-form.ts';
import { readReturn, withReturn } from './sign-in/return-address.ts';

/** After the sign-in, a user is back on the page; a form that was posted without a session keeps what was typed. */
export function signedOutAnswer(
  { platforms }: Pick<HttpPorts, 'platforms'>,
  { method }: DashboardRoute,
  request: FastifyRequest,
): SentAnswer {
  if (method === 'GET') {
    const page = isAfterSignIn(request) ? '/dashboard/sign-in/no-cookies' : '/dashboard/sign-in';
    return { kind: 'redirect', to: withReturn(page, pageOf(request)) };
  }
  const form = formOf(request);
  const csrfToken = readCsrfToken(request, form);
  return keptFormAnswer({ kind: 'signed-out' }, { action: request.url, form, csrfToken, platforms });
}

/** The page of a mailed link leads to others by its button alone, which sets the cookie that is missing. */
function isAfterSignIn({ headers: { referer = '' } }: FastifyRequest): boolean {
  return /\/dashboard\/sign-in\/[^/?]+$/.test(referer);
}

/** A fragment is not a page to go back to. */
function pageOf(request: FastifyRequest): string | null {
  return request.headers['hx-request'] ? null : readReturn(request.url);
}

/** The form's token can be among its fields, so the buffered part of its body was parsed. */
export function refuseStaleForm(
  { clock, platforms }: Pick<HttpPorts, 'clock' | 'platforms'>,
  route: DashboardRoute,
  request: FastifyRequest,
  session: Session | null,
): SentAnswer | null {
  if (route.access === 'anyone' || route.method !== 'POST' || !session) return null;
  const { sessionToken, csrfToken } = session;
  const form = formOf(request);
  const verdict = checkCsrfToken(readCsrfToken(request, form), sessionToken, clock.now());
  if (verdict.kind !== 'stale') return null;
  return keptFormAnswer(verdict, { action: request.url, form, csrfToken, platforms });
}

/** A form that shows or replaces a key or secret, or lets somebody in, posted long after the sign-in. What was typed is kept. */
export function refuseUnconfirmed(
  { clock, platforms }: Pick<HttpPorts, 'clock' | 'platforms'>,
  { needsFreshSignIn = false }: DashboardRoute,
  request: FastifyRequest,
  session: Session | null,
): SentAnswer | null {
  if (!needsFreshSignIn || !session || isFresh(session.user.session, clock.now())) return null;
  const { csrfToken } = session;
  const form = formOf(request);
  return keptFormAnswer({ kind: 'unconfirmed' }, { action: request.url, form, csrfToken, platforms });
}

export function formOf(request: FastifyRequest): URLSearchParams {
  return request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
}

import type { IncomingHttpHeaders } from 'node:http';
import { type ActivityOrigin, authorise, type Caller, identifyCaller } from '@handover/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { whileDatabaseAnswers } from '../database-answers.ts';
import type { HttpOptions, HttpPorts } from '../http-ports.ts';
import { refuse } from '../requests/answer-json.ts';
import { addLogContext } from '../requests/request-log.ts';
import { checkCsrfToken, isSameOrigin, readCsrfToken } from './csrf.ts';
import { createSessions } from './sessions.ts';

export interface AuthorisedCaller {
  readonly orgId: string;
  readonly userId: string;
  /** The user and the API key, for the activity log. */
  readonly by: ActivityOrigin;
}

/** The ports needed to authenticate a caller. */
export type CallerPorts = Pick<HttpPorts, 'apiKeys' | 'clock' | 'database' | 'users'>;

/** Sends an error in the format of its endpoint. */
export type Refuse = (reply: FastifyReply, status: number, error: string) => FastifyReply;

/**
 * Admits callers who are authorised. It runs before any body is read, so 401 precedes 403, and 403 precedes
 * 400.
 */
export function requireCaller(
  ports: CallerPorts,
  work: 'member' | 'admin',
  answerWith: Refuse = refuse,
): onRequestAsyncHookHandler {
  return async (request, reply) => {
    const key = readApiKey(request.headers);
    const caller = key && (await whileDatabaseAnswers(ports.database, identifyCaller(ports, key)));
    // Null for a text that is not one of our keys: it may be anything, another service's secret included.
    const hint = key && ports.apiKeys.hint(key);
    if (!caller) {
      if (hint)
        addLogContext(request, { apiKey: hint, reason: 'The API key is unknown: replaced, or withdrawn.' });
      reply.header('www-authenticate', 'Bearer');
      return answerWith(reply, 401, key === null ? MISSING_KEY : WRONG_KEY);
    }
    const how = { via: 'api-key', ...(hint && { viaDetail: hint }) } as const;
    return admit(ports, work, { caller, ...how }, request, reply, answerWith);
  };
}

/**
 * Like `requireCaller`, but also accepts the dashboard's own scripts: a session counts as a key if the
 * request is same-origin and carries the session's CSRF token. The plugin must register `acceptCookies`.
 */
export function requireCallerOrSignedInUser(
  ports: CallerPorts & Pick<HttpPorts, 'sessionTokens' | 'userSessions'>,
  work: 'member' | 'admin',
  { siteUrl }: Pick<HttpOptions, 'siteUrl'>,
): onRequestAsyncHookHandler {
  const sessions = createSessions(ports, siteUrl);
  const byKey = requireCaller(ports, work);
  return async function (this: FastifyInstance, request, reply) {
    const isDashboardRequest = readApiKey(request.headers) === null && sessions.isPresentedBy(request);
    if (!isDashboardRequest) return byKey.call(this, request, reply);
    if (!isSameOrigin(request, siteUrl)) return refuse(reply, 403, OTHER_SITE);
    const session = await whileDatabaseAnswers(ports.database, sessions.find(request));
    if (!session) return refuse(reply, 401, SIGNED_OUT);
    const verdict = checkCsrfToken(readCsrfToken(request), session.sessionToken, ports.clock.now());
    if (verdict.kind === 'stale') return refuse(reply, 403, STALE_PAGE);
    return admit(ports, work, { caller: session.user, via: 'dashboard' }, request, reply, refuse);
  };
}

async function admit(
  ports: CallerPorts,
  work: 'member' | 'admin',
  { caller, ...how }: { readonly caller: Caller } & Omit<ActivityOrigin, 'actor'>,
  request: FastifyRequest,
  reply: FastifyReply,
  answerWith: Refuse,
): Promise<FastifyReply | undefined> {
  const apiKey = how.viaDetail;
  addLogContext(request, {
    orgId: caller.membership?.orgId,
    userId: caller.userId,
    ...(apiKey && { apiKey }),
  });
  const authorisation = authorise(caller, work, ports);
  if (authorisation.kind === 'forbidden') {
    addLogContext(request, { reason: FORBIDDEN[authorisation.reason] });
    return answerWith(reply, 403, FORBIDDEN[authorisation.reason]);
  }
  const { orgId, userId } = authorisation;
  callers.set(request, { orgId, userId, by: { actor: caller.email, ...how } });
  return undefined;
}

/** The caller that `requireCaller` admitted. */
export function callerOf(request: FastifyRequest): AuthorisedCaller {
  const caller = callers.get(request);
  if (!caller) throw new Error('The route asks for its caller, but does not require one.');
  return caller;
}

const callers = new WeakMap<FastifyRequest, AuthorisedCaller>();

const MISSING_KEY =
  'The API key is missing. Send it as “Authorization: Bearer <key>” or as “X-API-Key: <key>”.';
const WRONG_KEY =
  'The API key is not valid. It may have been refreshed since; the former key is then invalid at once.';

const SIGNED_OUT = 'You are signed out. Sign in again, and go on.';
const STALE_PAGE = 'This page is too old, or of another session. Load it again, and go on.';
const OTHER_SITE = 'This request came from another site, so nothing was done.';

const FORBIDDEN = {
  'no-organisation': 'The user belongs to no organisation. Ask an owner to add them to one.',
  'subscription-expired': "The organisation's subscription has expired. Renew it to use the API again.",
  role: 'The role owner or admin is required. Use the API key of a user who has one of them.',
} as const;

/** `Authorization` has precedence, unless it holds another scheme, such as a proxy's own sign-in. */
function readApiKey(headers: IncomingHttpHeaders): string | null {
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  if (bearer) return bearer;
  const bare = headers['x-api-key'];
  return (typeof bare === 'string' && bare.trim()) || null;
}

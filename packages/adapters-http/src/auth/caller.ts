import type { IncomingHttpHeaders } from 'node:http';
import {
  type ActivityOrigin,
  type ApiKeyFacts,
  type ApiScope,
  type Authorisation,
  authorise,
  authoriseKey,
  type Caller,
  type IdentifiedCaller,
  identifyCaller,
  isUseDue,
} from '@handover/domain';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestAsyncHookHandler,
  preHandlerAsyncHookHandler,
} from 'fastify';
import { whileDatabaseAnswers } from '../database-answers.ts';
import type { HttpOptions, HttpPorts } from '../http-ports.ts';
import { isoDay } from '../pages/words.ts';
import { type Refuse, refuseAsJson } from '../requests/answer-error.ts';
import { addLogContext, describeError } from '../requests/request-log.ts';
import { checkCsrfToken, isSameOrigin, readCsrfToken } from './csrf.ts';
import { createSessions } from './sessions.ts';

export interface AuthorisedCaller {
  readonly orgId: string;
  /** The user and the API key, for the activity log. */
  readonly by: ActivityOrigin;
  /** Whether the key or the session still admits: asked before something is kept that took long to send. */
  readonly isStillAllowed: () => Promise<boolean>;
}

/** The ports needed to authenticate a caller. */
export type CallerPorts = Pick<HttpPorts, 'apiKeys' | 'clock' | 'database' | 'userKeys' | 'users'>;

/**
 * Admits callers who have the role, and whose key has the scope, that the route declares (see `documented`). It runs
 * before any body is read, so 401 precedes 403, and 403 precedes 400.
 */
export function requireCaller(
  ports: CallerPorts,
  answerWith: Refuse = refuseAsJson,
): onRequestAsyncHookHandler {
  return async (request, reply) => {
    const { scope, work } = readDeclared(request);
    const key = readApiKey(request.headers);
    const found = key ? await whileDatabaseAnswers(ports.database, identifyCaller(ports, key)) : null;
    // Null for a text that is not one of our keys: it may be anything, another service's secret included.
    const hint = key && ports.apiKeys.hint(key);
    if (found?.kind !== 'identified') {
      if (hint) addLogContext(request, { apiKey: hint, reason: REFUSED_KEYS[found?.kind ?? 'unknown'] });
      reply.header('www-authenticate', 'Bearer');
      return answerWith(reply, 401, explainRefusedKey(found));
    }
    const { caller } = found;
    recordKeyUse(ports, caller.key, request.log);
    const how = { via: 'api-key', ...(hint && { viaDetail: hint }) } as const;
    const authorisation = authoriseKey(caller, work, scope, ports);
    if (authorisation.kind === 'forbidden' && authorisation.reason === 'scope') {
      addCaller(request, caller, how);
      addLogContext(request, { reason: `The API key lacks the scope ${scope}.` });
      return answerWith(reply, 403, describeMissingScope(caller.key.name, scope));
    }
    const again = async () => {
      const now = await identifyCaller(ports, key ?? '');
      return now.kind === 'identified' ? authoriseKey(now.caller, work, scope, ports) : null;
    };
    return admit(authorisation, { caller, ...how }, { request, reply, answerWith, again });
  };
}

/** What a route requires. One without a scope is a mistake, and serves nobody: a test finds it. */
function readDeclared({ routeOptions: { schema, url } }: FastifyRequest) {
  const scope = schema?.['x-handover-scope'];
  if (!scope) throw new Error(`The route ${url} declares no scope.`);
  const work = schema['x-handover-access'] === 'any role' ? 'member' : 'admin';
  return { scope, work } as const;
}

/**
 * Like `requireCaller`, but also accepts the dashboard's own scripts: a session counts as a key if the
 * request is same-origin and carries the session's CSRF token. The plugin must register `@fastify/cookie`.
 */
export function requireCallerOrSignedInUser(
  ports: CallerPorts & Pick<HttpPorts, 'sessionTokens' | 'userSessions'>,
  { siteUrl }: Pick<HttpOptions, 'siteUrl'>,
): onRequestAsyncHookHandler {
  const sessions = createSessions(ports, siteUrl);
  const byKey = requireCaller(ports);
  return async function (this: FastifyInstance, request, reply) {
    // After a sign-out in another tab, a script of the dashboard has its token alone.
    const isOfDashboard = sessions.isPresentedBy(request) || readCsrfToken(request) !== '';
    const isDashboardRequest = readApiKey(request.headers) === null && isOfDashboard;
    if (!isDashboardRequest) return byKey.call(this, request, reply);
    if (!isSameOrigin(request, siteUrl)) return refuseAsJson(reply, 403, OTHER_SITE);
    const session = await whileDatabaseAnswers(ports.database, sessions.find(request));
    if (!session) return refuseAsJson(reply, 401, SIGNED_OUT);
    const verdict = checkCsrfToken(readCsrfToken(request), session.sessionToken, ports.clock.now());
    if (verdict.kind === 'stale') return refuseAsJson(reply, 403, STALE_PAGE);
    const { user } = session;
    const { work } = readDeclared(request);
    const again = async () => {
      const now = await sessions.find(request);
      return now && authorise(now.user, work, ports);
    };
    const how = { caller: user, via: 'dashboard' } as const;
    return admit(authorise(user, work, ports), how, { request, reply, answerWith: refuseAsJson, again });
  };
}

async function admit(
  authorisation: Authorisation,
  { caller, ...how }: { readonly caller: Caller } & Omit<ActivityOrigin, 'actor'>,
  {
    request,
    reply,
    answerWith,
    again,
  }: {
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
    readonly answerWith: Refuse;
    /** Authorises the same request once more; null: nobody is found any more. */
    readonly again: () => Promise<ReturnType<typeof authoriseKey> | null>;
  },
): Promise<FastifyReply | undefined> {
  addCaller(request, caller, how);
  if (authorisation.kind === 'forbidden') {
    addLogContext(request, { reason: FORBIDDEN[authorisation.reason] });
    return answerWith(reply, 403, FORBIDDEN[authorisation.reason]);
  }
  const { orgId } = authorisation;
  const isStillAllowed = async () => {
    const now = await again();
    return now?.kind === 'allowed' && now.orgId === orgId;
  };
  callers.set(request, { orgId, by: { actor: caller.email, ...how }, isStillAllowed });
  admissions.set(request, { at: performance.now(), refuse: answerWith });
  return undefined;
}

function addCaller(
  request: FastifyRequest,
  caller: Caller,
  { viaDetail: apiKey }: Omit<ActivityOrigin, 'actor'>,
) {
  addLogContext(request, {
    orgId: caller.membership?.orgId,
    userId: caller.userId,
    ...(apiKey && { apiKey }),
  });
}

/** The caller that `requireCaller` admitted. */
export function callerOf(request: FastifyRequest): AuthorisedCaller {
  const caller = callers.get(request);
  if (!caller) throw new Error('The route asks for its caller, but does not require one.');
  return caller;
}

const callers = new WeakMap<FastifyRequest, AuthorisedCaller>();
const admissions = new WeakMap<FastifyRequest, { readonly at: number; readonly refuse: Refuse }>();

/** A body that took at least so long to arrive is taken only if its caller still has access. */
const SLOW_BODY_MS = 1_000;

/** Callers are admitted before their body is read, which can take half a minute: a key may be revoked meanwhile. */
export const requireAccessStill: preHandlerAsyncHookHandler = async (request, reply) => {
  const admission = admissions.get(request);
  // Fastify measures the time of a request only where it has a log.
  if (!admission || performance.now() - admission.at < SLOW_BODY_MS) return undefined;
  return (await callerOf(request).isStillAllowed()) ? undefined : admission.refuse(reply, 401, ENDED_BEFORE);
};

const MISSING_KEY =
  'The API key is missing. Send it as “Authorization: Bearer <key>” or as “X-API-Key: <key>”.';
const WRONG_KEY =
  'The API key is not valid. It may have been replaced or revoked since; a key is then invalid at once.';

const REFUSED_KEYS = {
  unknown: 'The API key is unknown: replaced, or revoked.',
  expired: 'The API key has expired.',
} as const;

function explainRefusedKey(found: Exclude<IdentifiedCaller, { readonly kind: 'identified' }> | null): string {
  if (found === null) return MISSING_KEY;
  if (found.kind === 'unknown') return WRONG_KEY;
  const { name, expiresAt } = found;
  return `The API key “${name}” expired on ${isoDay(expiresAt)}. Replace it in the dashboard, under Settings, API keys.`;
}

function describeMissingScope(name: string, scope: ApiScope): string {
  return `The API key “${name}” lacks the scope “${scope}”. Use a key that has it: make one in the dashboard, under Settings, API keys.`;
}

const ENDED_BEFORE = 'Your access ended before the request was complete, so nothing was done.';
/** The answer where `isStillAllowed` says no. */
export const ACCESS_ENDED = 'Your access ended while the file was sent, so it was not added.';
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
  const bare = headers['x-api-key'];
  return readBearer(headers) ?? ((typeof bare === 'string' && bare.trim()) || null);
}

/** The token of `Authorization: Bearer`. */
export function readBearer({ authorization = '' }: IncomingHttpHeaders): string | null {
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? null;
}

type Ports = Pick<HttpPorts, 'clock' | 'userKeys'>;

/**
 * Records that a key was used, after the request at hand: no request waits for it. Uses of the same moment are written
 * in one statement, and the use of a key at most once a minute.
 */
export function recordKeyUse(ports: Ports, key: ApiKeyFacts, log: FastifyBaseLogger): void {
  const now = ports.clock.now();
  const recorder = recorderOf(ports);
  const lastUsedAt = recorder.recorded.get(key.hash) ?? key.lastUsedAt;
  if (!isUseDue({ lastUsedAt }, now)) return;
  recorder.recorded.set(key.hash, now);
  if (recorder.due.size === 0) setImmediate(() => void write(ports, recorder, now, log));
  recorder.due.add(key.hash);
}

interface Recorder {
  /** What this process wrote lately: a request in the same moment may have read the key before. */
  readonly recorded: Map<string, Date>;
  readonly due: Set<string>;
}

const recorders = new WeakMap<Ports['userKeys'], Recorder>();

function recorderOf({ userKeys }: Ports): Recorder {
  const recorder = recorders.get(userKeys) ?? { recorded: new Map(), due: new Set() };
  recorders.set(userKeys, recorder);
  return recorder;
}

async function write(ports: Ports, { recorded, due }: Recorder, now: Date, log: FastifyBaseLogger) {
  const hashes = [...due];
  due.clear();
  for (const [hash, lastUsedAt] of recorded) if (isUseDue({ lastUsedAt }, now)) recorded.delete(hash);
  try {
    await ports.userKeys.recordUses(hashes, now);
  } catch (error) {
    log.warn({ err: describeError(error) }, 'The last use of API keys could not be recorded.');
  }
}

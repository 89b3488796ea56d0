import { authorise } from '@handover/domain';
import { errorCodes, type FastifyPluginAsync, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Cookies, createCookies } from '../auth/cookies.ts';
import { checkCsrfToken, FORM_TOKEN_FIELD, FORM_TOKEN_HEADER } from '../auth/csrf-token.ts';
import { findSession, type Session } from '../auth/find-session.ts';
import { isSameOrigin } from '../auth/same-origin.ts';
import { networkOf } from '../customer/network-of.ts';
import { whileDatabaseAnswers } from '../database-answers.ts';
import type { HttpOptions, HttpPorts } from '../http-ports.ts';
import { createReaderOfAll, createRejectedReaderOfAll } from '../read-orders.ts';
import { classifyFailure } from '../requests/classify-failure.ts';
import { describeClient } from '../requests/describe-client.ts';
import type { FileLimits, UploadError } from '../requests/receive-file.ts';
import { addLogContext, type LogFacts } from '../requests/request-log.ts';
import { type Answer, type DashboardRoute, page } from './dashboard-route.ts';
import { downloadRoutes } from './downloads/download-routes.ts';
import { integrationRoutes } from './integrations/integration-routes.ts';
import { keptFormAnswer } from './kept-form.ts';
import { logRoutes } from './log/log-routes.ts';
import { listNavigation, type NavigationEntry, navigationFor } from './navigation.ts';
import { overviewRoutes } from './overview/overview-routes.ts';
import { productRoutes } from './products/product-routes.ts';
import { purchaseRoutes } from './purchases/purchase-routes.ts';
import { saleRoutes } from './purchases/sale-routes.ts';
import { unmatchedRoutes } from './purchases/unmatched-routes.ts';
import {
  failureAnswer,
  noOrganisationAnswer,
  notFoundAnswer,
  otherSiteAnswer,
  subscriptionExpiredAnswer,
  wrongRoleAnswer,
} from './refusals.ts';
import { reportRoutes } from './reports/report-routes.ts';
import { sendAnswer } from './send-answer.ts';
import { activityRoutes } from './settings/activity-routes.ts';
import { apiKeyRoutes } from './settings/api-key-routes.ts';
import { invitationRoutes } from './settings/invitation-routes.ts';
import { organisationRoutes } from './settings/organisation-routes.ts';
import { teamRoutes } from './settings/team-routes.ts';
import { acceptRoutes } from './sign-in/invitation-routes.ts';
import { signInRoutes } from './sign-in/sign-in-routes.ts';
import { acceptUploadForms, readUploadForm, type UploadedFile } from './upload-form.ts';

/** Descriptions are long texts, but no books. Also who is not signed in may send as much. */
const FORM_LIMIT = 256 * 1024;

type Options = Pick<HttpOptions, 'siteUrl' | 'senderAddress' | 'platforms' | 'sharedPlatform'>;

/** The dashboard, below /dashboard. A new part adds its routes to this list, and nothing else. */
function listRoutes(
  ports: HttpPorts,
  cookies: Cookies,
  options: Options,
  { maxFileSize }: FileLimits,
): readonly DashboardRoute[] {
  const orders = createReaderOfAll(options);
  return [
    ...signInRoutes(ports, cookies),
    ...acceptRoutes(ports, cookies),
    ...overviewRoutes(ports),
    ...purchaseRoutes(ports),
    ...saleRoutes(ports),
    ...unmatchedRoutes(ports),
    ...productRoutes(ports, orders, maxFileSize),
    ...downloadRoutes(ports),
    ...logRoutes(ports, orders),
    ...reportRoutes(ports),
    ...integrationRoutes(ports, options, createRejectedReaderOfAll(options, ports.secretFingerprints)),
    ...teamRoutes(ports, cookies),
    ...invitationRoutes(ports),
    ...organisationRoutes(ports, options),
    ...apiKeyRoutes(ports),
    ...activityRoutes(ports),
  ];
}

/**
 * Whatever is asked of the dashboard goes through here: who it is, whether they may, whether a form is of a page of
 * ours and of this session, and what is said when not.
 */
export function dashboardRoutes(
  ports: HttpPorts,
  options: Options,
  fileLimits: FileLimits,
): FastifyPluginAsync {
  return async (app) => {
    const cookies = createCookies(options.siteUrl);
    const routes = listRoutes(ports, cookies, options, fileLimits);
    const navigation = listNavigation(routes);
    const dashboard = { ports, cookies, navigation, siteUrl: options.siteUrl, fileLimits };

    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_LIMIT },
      (_request, body, done) => done(null, new URLSearchParams(body.toString())),
    );
    // Left unread: who it is and whether they may is said first.
    app.addContentTypeParser('*', (_request, _body, done) => done(null, WRONG_TYPE));
    await acceptUploadForms(app);
    app.setErrorHandler((error, request, reply) => {
      const failure = classifyFailure(error);
      const { status, retryAfterSeconds } = failure;
      addLogContext(request, status >= 500 ? { error } : {});
      if (retryAfterSeconds !== null) reply.header('retry-after', retryAfterSeconds);
      return sendAnswer(request, reply, failureAnswer(failure, request.id), null, cookies);
    });
    app.setNotFoundHandler((request, reply) => respond(dashboard, nowhere, request, reply));

    for (const route of [home(navigation), ...routes]) {
      app.route({
        method: route.method,
        url: route.path,
        config: {
          dashboard: { access: route.access },
          ...(route.takesFile ? { fileUpload: 'multipart' } : {}),
        },
        handler: (request, reply) => respond(dashboard, route, request, reply),
      });
    }
  };
}

/** In the place of a body that is no form. */
const WRONG_TYPE = Symbol('wrong type');

interface Dashboard {
  readonly ports: HttpPorts;
  readonly cookies: Cookies;
  readonly navigation: readonly NavigationEntry[];
  readonly siteUrl: string;
  readonly fileLimits: FileLimits;
}

/** The first page that the signed-in user may open. */
function home(navigation: readonly NavigationEntry[]): DashboardRoute {
  return page('/', 'member', async ({ role }) => {
    const [first] = navigationFor(navigation, role);
    return first ? { kind: 'redirect', to: `/dashboard${first.path}` } : { kind: 'not-found' };
  });
}

const nowhere = page('*', 'signed-in', async () => ({ kind: 'not-found' }));

async function respond(
  dashboard: Dashboard,
  route: DashboardRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { ports, cookies, siteUrl } = dashboard;
  const changes = route.method === 'POST';
  const send = (answer: Answer, session: Session | null, counts: Counts = {}) =>
    sendAnswer(request, reply, answer, session && shellOf(dashboard, request, session, counts), cookies);
  if (changes && !isSameOrigin(request, siteUrl)) return send(otherSiteAnswer(), null);

  const session = await whileDatabaseAnswers(ports.database, findSession(ports, cookies, request));
  addLogContext(request, {
    orgId: session?.user.membership?.orgId,
    ...(session && { userId: session.user.userId }),
  });
  const stranger = refuseSignedInUser(ports, route, request, session);
  if (stranger) return send(stranger, session);
  if (request.body === WRONG_TYPE) {
    const failure = classifyFailure(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE());
    return send(failureAnswer(failure, request.id), null);
  }
  const file = route.takesFile ? await readUploadForm(request, dashboard.fileLimits) : null;
  const stale = refuseStaleForm(ports, route, request, session);
  if (stale) return send(stale, session);
  const work = answer(ports, route, request, session, file);
  const answered = await whileDatabaseAnswers(ports.database, work);
  return send(answered, session, answered.kind === 'page' ? await countWaiting(ports, session) : {});
}

type Counts = Readonly<Record<string, number>>;

/** What stands beside a page's name in the sidebar because somebody must act, by the page's path. */
async function countWaiting({ openDeliveries }: HttpPorts, session: Session | null): Promise<Counts> {
  const membership = session?.user.membership;
  if (!membership || membership.role === 'member') return {};
  return { '/purchases': await openDeliveries.countUnmatched(membership.orgId) };
}

/** Why the signed-in user may not: 401 before 403. Null when they may. */
function refuseSignedInUser(
  ports: HttpPorts,
  route: DashboardRoute,
  request: FastifyRequest,
  session: Session | null,
): Answer | null {
  if (route.access === 'anyone') return null;
  const changes = route.method === 'POST';
  if (!session) {
    const csrfToken = tokenOf(request);
    return changes
      ? keptFormAnswer({ kind: 'signed-out' }, { action: request.url, form: formOf(request), csrfToken })
      : { kind: 'redirect', to: '/dashboard/sign-in' };
  }
  if (route.access === 'signed-in') return null;
  const authorisation = authorise(session.user, route.access, ports);
  if (authorisation.kind === 'forbidden') return FORBIDDEN[authorisation.reason](session.user.email);
  return null;
}

/** The form's token may stand in its fields, so its body was read as far as it is held in memory. */
function refuseStaleForm(
  ports: HttpPorts,
  route: DashboardRoute,
  request: FastifyRequest,
  session: Session | null,
): Answer | null {
  if (route.access === 'anyone' || route.method !== 'POST' || !session) return null;
  const { sessionToken, csrfToken } = session;
  const verdict = checkCsrfToken(tokenOf(request), sessionToken, ports.clock.now());
  if (verdict.kind !== 'stale') return null;
  return keptFormAnswer(verdict, { action: request.url, form: formOf(request), csrfToken });
}

const FORBIDDEN = {
  'no-organisation': noOrganisationAnswer,
  'subscription-expired': subscriptionExpiredAnswer,
  role: wrongRoleAnswer,
} as const;

async function answer(
  ports: HttpPorts,
  route: DashboardRoute,
  request: FastifyRequest,
  session: Session | null,
  file: UploadedFile | UploadError | null,
): Promise<Answer> {
  const membership = session?.user.membership;
  const context = {
    user: null,
    ...session,
    ...(membership && { orgId: membership.orgId, role: membership.role }),
    params: request.params,
    query: new URL(request.url, 'http://dashboard').searchParams,
    now: ports.clock.now(),
    network: networkOf(request.ip),
    client: describeClient(request),
    addLogContext: (facts: LogFacts) => addLogContext(request, facts),
    ...(session && { by: { actor: session.user.email, via: 'dashboard' } }),
    file,
  };
  // `refuse` has seen to it that the request has what the route's access promises.
  const answered = await route.answer(context as never, formOf(request));
  return answered.kind === 'not-found' ? notFoundAnswer() : answered;
}

function shellOf(
  { navigation, cookies }: Dashboard,
  request: FastifyRequest,
  { user, csrfToken }: Session,
  counts: Counts,
) {
  const { pathname } = new URL(request.url, 'http://dashboard');
  return {
    user,
    navigation: navigationFor(navigation, user.membership?.role ?? null),
    currentPath: pathname.replace(/^\/dashboard/, ''),
    csrfToken,
    counts,
    toast: cookies.readToast(request.headers),
  };
}

function formOf(request: FastifyRequest): URLSearchParams {
  return request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
}

function tokenOf(request: FastifyRequest): string {
  const header = request.headers[FORM_TOKEN_HEADER];
  return (typeof header === 'string' ? header : formOf(request).get(FORM_TOKEN_FIELD)) ?? '';
}

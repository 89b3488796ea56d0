import cookies from '@fastify/cookie';
import type { SignedIn } from '@handover/domain';
import { errorCodes, type FastifyPluginAsync, type FastifyReply, type FastifyRequest } from 'fastify';
import { createSiteCookie } from '../auth/cookies.ts';
import { isSameOrigin } from '../auth/csrf.ts';
import { createSessions, type Session } from '../auth/sessions.ts';
import { whileDatabaseAnswers } from '../database-answers.ts';
import type { HttpOptions, HttpPorts } from '../http-ports.ts';
import { createReaderOfAll, createRejectedReaderOfAll } from '../read-orders.ts';
import { noteFailure } from '../requests/answer-error.ts';
import { describeClient } from '../requests/describe-client.ts';
import { hasDecimalComma } from '../requests/negotiate-language.ts';
import { networkOf } from '../requests/network-of.ts';
import type { FileLimits } from '../requests/receive-file.ts';
import { addLogContext } from '../requests/request-log.ts';
import { breakOffWithAccess } from '../streaming/break-off-with-access.ts';
import {
  type DashboardRoute,
  isAdmittedAgain,
  page,
  type RequestDetails,
  type SentAnswer,
} from './dashboard-route.ts';
import { downloadRoutes } from './downloads/download-routes.ts';
import { integrationRoutes } from './integrations/integration-routes.ts';
import { stripeRoutes } from './integrations/stripe-routes.ts';
import { addAddressRoutes } from './log/add-address-routes.ts';
import { deliverAgainRoutes } from './log/deliver-again-routes.ts';
import { dismissEntryRoutes } from './log/dismiss-entry-routes.ts';
import { logRoutes } from './log/log-routes.ts';
import { listNavigation, type NavigationEntry, navigationFor } from './navigation.ts';
import { overviewRoutes } from './overview/overview-routes.ts';
import { parseForms, WRONG_TYPE } from './parse-forms.ts';
import { productRoutes } from './products/product-routes.ts';
import { bulkRoutes } from './purchases/bulk-routes.ts';
import { dismissReceiptRoutes } from './purchases/dismiss-receipt-routes.ts';
import { eraseRoutes } from './purchases/erase-routes.ts';
import { purchaseRoutes } from './purchases/purchase-routes.ts';
import { receiptRoutes } from './purchases/receipt-routes.ts';
import { saleRoutes } from './purchases/sale-routes.ts';
import { unmatchedRoutes } from './purchases/unmatched-routes.ts';
import { FORBIDDEN, failureAnswer, notFoundAnswer, otherSiteAnswer } from './refusals.ts';
import { formOf, refuseStaleForm, refuseUnconfirmed, signedOutAnswer } from './refuse-form.ts';
import { reportRoutes } from './reports/report-routes.ts';
import { searchRoutes } from './search/search-routes.ts';
import { type BrowserState, sendAnswer } from './send-answer.ts';
import { activityRoutes } from './settings/activity-routes.ts';
import { apiKeyRoutes } from './settings/api-key-routes.ts';
import { isOperator } from './settings/installation-report.ts';
import { INSTALLATION_PATH, installationRoutes } from './settings/installation-routes.ts';
import { invitationRoutes } from './settings/invitation-routes.ts';
import { organisationRoutes } from './settings/organisation-routes.ts';
import { securityRoutes } from './settings/security-routes.ts';
import { teamRoutes } from './settings/team-routes.ts';
import { confirmRoutes } from './sign-in/confirm-routes.ts';
import { acceptRoutes } from './sign-in/invitation-routes.ts';
import { passkeyRoutes } from './sign-in/passkey-routes.ts';
import { signInRoutes } from './sign-in/sign-in-routes.ts';
import { createToastCookie } from './toast-cookie.ts';
import { createUnansweredWork, type UnansweredWork } from './unanswered-work.ts';
import { acceptUploadForms, readUploadForm } from './upload-form.ts';

/** The longest that browsers keep a cookie. */
const DEVICE_MAX_AGE_S = 400 * 24 * 60 * 60;

type Options = Pick<
  HttpOptions,
  'siteUrl' | 'senderAddress' | 'renderReceipt' | 'platforms' | 'sharedPlatform' | 'doctor'
>;

/** The dashboard, under /dashboard. A new part only has to add its routes to this list. */
function listRoutes(
  ports: HttpPorts,
  options: Options,
  { maxFileSize }: FileLimits,
): readonly DashboardRoute[] {
  const orders = createReaderOfAll(options);
  return [
    ...signInRoutes(ports),
    ...acceptRoutes(ports),
    ...overviewRoutes(ports),
    ...purchaseRoutes(ports),
    ...dismissReceiptRoutes(ports),
    ...eraseRoutes(ports),
    ...bulkRoutes(ports),
    ...receiptRoutes(ports, options),
    ...saleRoutes(ports),
    ...unmatchedRoutes(ports, orders),
    ...productRoutes(ports, orders, maxFileSize),
    ...downloadRoutes(ports),
    ...logRoutes(ports, orders),
    ...addAddressRoutes(ports, orders),
    ...dismissEntryRoutes(ports),
    ...deliverAgainRoutes(ports),
    ...reportRoutes(ports),
    ...integrationRoutes(ports, options, createRejectedReaderOfAll(options, ports.secretFingerprints)),
    ...teamRoutes(ports),
    ...invitationRoutes(ports),
    ...organisationRoutes(ports, options),
    ...apiKeyRoutes(ports),
    ...securityRoutes(ports),
    ...confirmRoutes(ports),
    ...passkeyRoutes(ports, options),
    ...activityRoutes(ports),
    ...(options.doctor ? installationRoutes(ports, options.doctor) : []),
    ...(options.doctor ? stripeRoutes(ports, options, options.doctor) : []),
  ];
}

/**
 * Every request to the dashboard passes through here: it identifies the user, checks access, checks the
 * form's origin and CSRF token, and answers when a check fails.
 */
export function dashboardRoutes(
  ports: HttpPorts,
  options: Options,
  fileLimits: FileLimits,
): FastifyPluginAsync {
  return async (app) => {
    const { siteUrl } = options;
    const parts = listRoutes(ports, options, fileLimits);
    const navigation = listNavigation(parts);
    const routes = [
      ...parts,
      ...searchRoutes(ports, (user) => pagesOf({ navigation, doctor: options.doctor }, user)),
    ];
    const browser = {
      sessions: createSessions(ports, siteUrl),
      toasts: createToastCookie(siteUrl),
      devices: createSiteCookie(siteUrl, 'handover-device', DEVICE_MAX_AGE_S),
    };
    const unanswered = createUnansweredWork();
    app.addHook('onClose', () => unanswered.idle());
    const dashboard = { ports, browser, navigation, siteUrl, fileLimits, unanswered, doctor: options.doctor };

    parseForms(app);
    await app.register(cookies);
    await acceptUploadForms(app);
    app.setErrorHandler((error, request, reply) =>
      sendAnswer(request, reply, failureAnswer(noteFailure(error, request, reply)), null, browser),
    );
    app.setNotFoundHandler<PageParams>((request, reply) => respond(dashboard, nowhere, request, reply));

    for (const route of [home(navigation), ...routes]) {
      app.route<PageParams>({
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

interface Dashboard {
  readonly ports: Pick<HttpPorts, 'clock' | 'database' | 'openDeliveries' | 'platforms'>;
  readonly browser: BrowserState;
  readonly navigation: readonly NavigationEntry[];
  readonly siteUrl: string;
  readonly fileLimits: FileLimits;
  readonly unanswered: UnansweredWork;
  readonly doctor: HttpOptions['doctor'];
}

interface PageParams {
  readonly Params: RequestDetails['params'];
}
type PageRequest = FastifyRequest<PageParams>;

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
  request: PageRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { ports, browser, siteUrl } = dashboard;
  const changes = route.method === 'POST';
  const send = (answer: SentAnswer, session: Session | null, counts: Counts = {}) =>
    sendAnswer(request, reply, answer, session && shellOf(dashboard, request, session, counts), browser);
  if (changes && !isSameOrigin(request, siteUrl)) return send(otherSiteAnswer(), null);

  const session = await whileDatabaseAnswers(ports.database, browser.sessions.find(request));
  addLogContext(request, {
    orgId: session?.user.membership?.orgId,
    ...(session && { userId: session.user.userId }),
  });
  const admission = route.admit(session, ports);
  if (admission.kind === 'signed-out') return send(signedOutAnswer(ports, route, request), null);
  if (admission.kind === 'forbidden') {
    return send(FORBIDDEN[admission.reason](session?.user.email ?? ''), session);
  }
  // Only a form with a file is sent in parts.
  if (request.body === WRONG_TYPE || (request.isMultipart() && !route.takesFile)) {
    throw new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE();
  }
  const file = route.takesFile ? await readUploadForm(request, dashboard.fileLimits) : null;
  const stale =
    refuseStaleForm(ports, route, request, session) ?? refuseUnconfirmed(ports, route, request, session);
  if (stale) return send(stale, session);
  const isStillAdmitted = async () =>
    isAdmittedAgain(route, session, await browser.sessions.find(request), ports);
  const details = { ...describeRequest(request, reply, dashboard), isStillAdmitted };
  const work = admission.answer(details, { form: formOf(request), file });
  const given = await whileDatabaseAnswers(ports.database, work);
  const answered = given.kind === 'not-found' ? notFoundAnswer() : given;
  if (answered.kind === 'file') breakOffWithAccess(answered.content, isStillAdmitted);
  return send(answered, session, answered.kind === 'page' ? await countWaiting(ports, session) : {});
}

type Counts = Readonly<Record<string, number>>;

/** The counts in the sidebar of what waits for an action, by the page's path. */
async function countWaiting(
  { openDeliveries }: Dashboard['ports'],
  session: Session | null,
): Promise<Counts> {
  const membership = session?.user.membership;
  if (!membership || membership.role === 'member') return {};
  return { '/purchases': await openDeliveries.countUnmatched(membership.orgId) };
}

function describeRequest(
  request: PageRequest,
  reply: FastifyReply,
  { ports: { clock, platforms }, browser: { devices }, unanswered }: Dashboard,
): Omit<RequestDetails, 'isStillAdmitted'> {
  return {
    params: request.params,
    query: new URL(request.url, 'http://dashboard').searchParams,
    now: clock.now(),
    isHead: request.method === 'HEAD',
    platforms,
    expectsSemicolons: hasDecimalComma(request),
    network: networkOf(request.ip),
    client: describeClient(request),
    deviceToken: devices.read(request),
    addLogContext: (facts) => addLogContext(request, facts),
    continueUnanswered: (work) => unanswered.start(reply, work),
  };
}

/** The pages of the sidebar that the user may open. */
function pagesOf(
  { navigation, doctor }: Pick<Dashboard, 'navigation' | 'doctor'>,
  user: SignedIn,
): readonly NavigationEntry[] {
  const pages = navigationFor(navigation, user.membership?.role ?? null);
  return isOperator(doctor, user) ? pages : pages.filter(({ path }) => path !== INSTALLATION_PATH);
}

function shellOf(
  dashboard: Dashboard,
  request: FastifyRequest,
  { user, csrfToken }: Session,
  counts: Counts,
) {
  const { pathname } = new URL(request.url, 'http://dashboard');
  return {
    user,
    navigation: pagesOf(dashboard, user),
    currentPath: pathname.replace(/^\/dashboard/, ''),
    csrfToken,
    counts,
    toast: dashboard.browser.toasts.read(request),
  };
}

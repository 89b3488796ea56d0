import { randomUUID } from 'node:crypto';
import compress, { type FastifyCompressOptions } from '@fastify/compress';
import { describePlatforms } from '@handover/platform-contract';
import buildSerializer from 'fast-json-stringify';
import {
  type FastifyInstance,
  type FastifyReply,
  type FastifySerializerCompiler,
  fastify,
  LogController,
} from 'fastify';
import { apiRoutes } from './api/api-routes.ts';
import { downloadPageRoutes } from './customer/download-page-routes.ts';
import { fileRoutes } from './customer/file-routes.ts';
import { createLibraryCookie, libraryRoutes } from './customer/library-routes.ts';
import { myRoutes } from './customer/my-routes.ts';
import { newLinkRoutes } from './customer/new-link-routes.ts';
import { progressRoutes } from './customer/progress-routes.ts';
import { createTransferRecorder } from './customer/record-transfers.ts';
import { startRoutes } from './customer/start-routes.ts';
import { DASHBOARD_ASSETS } from './dashboard/assets.ts';
import { dashboardRoutes } from './dashboard/dashboard-routes.ts';
import { devMailRoutes } from './dev-mail/dev-mail-routes.ts';
import { healthRoutes } from './health-routes.ts';
import type { HttpOptions, HttpPorts } from './http-ports.ts';
import { metricsRoutes, NO_METRICS } from './metrics-routes.ts';
import { collectOpenApi } from './openapi/collect-openapi.ts';
import { answerNoPage, answerPageFailure } from './pages/answer-page.ts';
import { answerUnreadableAddress } from './pages/answer-unreadable-address.ts';
import { assetRoutes, PAGE_ASSETS } from './pages/assets.ts';
import { leadBelow } from './pages/lead-below.ts';
import { referenceRoutes } from './reference/reference-routes.ts';
import { registerRoutes } from './register-routes.ts';
import { answerUnreadableRequest } from './requests/answer-error.ts';
import { isLoopbackHost } from './requests/local-request.ts';
import { rememberMethods } from './requests/methods-at.ts';
import { BODY_LIMITS, drainRequestBody, limitBodies } from './requests/request-bodies.ts';
import { logRequests } from './requests/request-log.ts';
import { createSecureResponse, listSecurityHeaders } from './requests/security-headers.ts';
import { downloadCompleteRoutes } from './webhooks/download-complete-routes.ts';
import { createIntakeLimit } from './webhooks/limit-intake.ts';
import { webhookRoutes } from './webhooks/webhook-routes.ts';

/** Everything that Handover serves over HTTP, as an app that does not listen yet. */
export function createHttpApp(given: Omit<HttpPorts, 'platforms'>, options: HttpOptions): FastifyInstance {
  const ports: HttpPorts = { ...given, platforms: describePlatforms(options.platforms) };
  const app = createApp(options);
  // First, so that it sees every route.
  if (options.tracing) app.register(options.tracing.plugin);
  logRequests(app, options.tracing);
  leadBelow(app, options.siteUrl);
  closeWhileDraining(app, options.isDraining);
  allowLateReads(app, options);
  const { bodyLimits = BODY_LIMITS, maxFileSize } = options;
  const fileLimits = { silenceMs: bodyLimits.silenceMs, maxFileSize };
  limitBodies(app, bodyLimits);
  drainRequestBody(app, options.isDraining);
  // Each part declares which bodies it accepts.
  app.removeAllContentTypeParsers();
  app.setErrorHandler(answerPageFailure);
  app.setNotFoundHandler(answerNoPage);
  rememberMethods(app);

  const transfers = createTransferRecorder(ports);
  app.addHook('onClose', () => transfers.idle());

  app.setSerializerCompiler(compileSerializer);
  collectOpenApi(app, options);
  const { intakeLimit: intake = createIntakeLimit() } = options;
  registerRoutes(app, 'health', healthRoutes(ports, options, intake));
  const mayForwardTo = !isLoopbackHost(new URL(options.siteUrl).hostname);
  registerRoutes(app, 'metrics', metricsRoutes(options.metrics ?? NO_METRICS, { mayForwardTo }));
  const webhooks = { prefix: '/webhooks' };
  registerRoutes(app, 'webhooks', webhookRoutes({ ...ports, ...ports.intake }, options, intake), webhooks);
  registerRoutes(app, 'download-complete', downloadCompleteRoutes(ports, transfers), webhooks);
  registerRoutes(app, 'compressed', async (compressed) => {
    await compressed.register(compress, COMPRESSION);
    registerRoutes(compressed, 'api', apiRoutes(ports, options, fileLimits), { prefix: '/api' });
    const assets = [...Object.values(PAGE_ASSETS), ...Object.values(DASHBOARD_ASSETS)];
    registerRoutes(compressed, 'assets', assetRoutes(assets));
    const dashboard = dashboardRoutes(ports, options, fileLimits);
    registerRoutes(compressed, 'dashboard', dashboard, { prefix: '/dashboard' });
    registerRoutes(compressed, 'reference', referenceRoutes());
    registerRoutes(compressed, 'start', startRoutes(options.outbox ? options.version : null));
    registerRoutes(compressed, 'download-page', downloadPageRoutes(ports));
    registerRoutes(compressed, 'new-link', newLinkRoutes(ports));
    const libraryCookie = createLibraryCookie(options.siteUrl);
    registerRoutes(compressed, 'my', myRoutes(ports, libraryCookie));
    registerRoutes(compressed, 'library', libraryRoutes(ports, libraryCookie));
    if (options.outbox) registerRoutes(compressed, 'dev-mail', devMailRoutes(options.outbox));
  });
  // Not compressed: ranges refer to the bytes of the file itself, and progress answers are small.
  registerRoutes(app, 'files', fileRoutes(ports, transfers));
  registerRoutes(app, 'progress', progressRoutes(ports));
  return app;
}

/** Fastify itself, before anything is registered. */
function createApp(options: HttpOptions): FastifyInstance {
  const securityHeaders = listSecurityHeaders(options.siteUrl);
  return fastify({
    ...(options.log ? { loggerInstance: options.log } : {}),
    // Our own line per request names the route's pattern: Fastify's would hold tokens and secrets of the
    // raw URL.
    logController: new LogController({ disableRequestLogging: true }),
    // Node caches random bytes for UUIDs, so these ids are cheap.
    genReqId: () => randomUUID().replaceAll('-', '').slice(-16),
    trustProxy: readTrustProxy(options.trustProxy),
    return503OnClosing: false,
    // No plug-in waits for anything, so on a busy machine a start must not fail after ten seconds.
    pluginTimeout: 0,
    // TCP detects dead peers of long transfers; live ones may pause for any time.
    http: {
      keepAlive: true,
      keepAliveInitialDelay: 60_000,
      ServerResponse: createSecureResponse(securityHeaders),
    },
    routerOptions: { maxParamLength: 1000 },
    frameworkErrors: answerUnreadableAddress(options.siteUrl),
    clientErrorHandler: answerUnreadableRequest(securityHeaders),
  });
}

/**
 * Compresses text types. A page's secrets cannot be inferred from its compressed size: its CSRF token
 * differs each time, and no page that shows a key or a link repeats text of its address. Request bodies are
 * never decompressed: signatures cover their bytes.
 */
const COMPRESSION: FastifyCompressOptions = { encodings: ['br', 'gzip'], globalDecompression: false };

function readTrustProxy(trustProxy: HttpOptions['trustProxy']): boolean | string | string[] {
  if (typeof trustProxy === 'boolean') return trustProxy;
  // Fastify treats an empty list as a list; for an operator it means none.
  if (trustProxy.length === 0) return false;
  return typeof trustProxy === 'string' ? trustProxy : [...trustProxy];
}

/** While the process drains, every response asks its client to use another connection next time. */
function closeWhileDraining(app: FastifyInstance, isDraining: () => boolean): void {
  const ask = (reply: FastifyReply) => {
    if (isDraining()) reply.header('connection', 'close');
  };
  app.addHook('onSend', (_request, reply, _payload, done) => {
    ask(reply);
    done();
  });
  // File responses bypass that hook (`startChunks`).
  app.addHook('preHandler', (_request, reply, done) => {
    ask(reply);
    done();
  });
}

/** Serializes responses by the schema of their route, compiled with its first response. */
const compileSerializer: FastifySerializerCompiler<object> = ({ schema }) => {
  let serialize: ((answer: unknown) => string) | null = null;
  return (answer) => {
    serialize ??= buildSerializer(forWriting(schema));
    return serialize(answer);
  };
};

/**
 * Removes names, because a schema that appears twice would have a duplicate name. Removes `required`,
 * because an action that was done must not be answered with 500 when its response lacks a member.
 */
function forWriting(schema: object): object {
  return JSON.parse(
    JSON.stringify(schema, (key, value) =>
      key === '$id' || (key === 'required' && Array.isArray(value)) ? undefined : value,
    ),
  );
}

/** Longer than a replica may be behind. */
const OWN_CHANGES_S = 10;
const COOKIE = 'handover-changed';
const AREAS = /^\/(api|dashboard)(\/|$)/;

/**
 * Lists, reports and pages may be read from a replica. After an action, the browser reads from the primary for a while,
 * so that it sees what it did; a client of the API does so with `Cache-Control: no-cache`. Callers were identified
 * before, on the primary.
 */
export function allowLateReads(
  app: FastifyInstance,
  { allowLateReads: allow, siteUrl }: Pick<HttpOptions, 'allowLateReads' | 'siteUrl'>,
): void {
  if (!allow) return;
  const secure = siteUrl.startsWith('https:') ? '; Secure' : '';
  app.addHook('preHandler', (request, _reply, done) => {
    const { cookie = '', 'cache-control': control = '' } = request.headers;
    const wantsNow = cookie.includes(`${COOKIE}=`) || /\bno-cache\b/.test(control);
    if (request.method === 'GET' && AREAS.test(request.url) && !wantsNow) allow(done);
    else done();
  });
  app.addHook('onSend', async (request, reply) => {
    if (request.method === 'GET' || request.method === 'HEAD' || !AREAS.test(request.url)) return;
    // Fastify adds it to the others.
    reply.header(
      'set-cookie',
      `${COOKIE}=1; Max-Age=${OWN_CHANGES_S}; Path=/; HttpOnly; SameSite=Lax${secure}`,
    );
  });
}

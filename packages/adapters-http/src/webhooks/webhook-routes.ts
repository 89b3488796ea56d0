import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { InboundDelivery, PlatformWebhook } from '@handover/platform-contract';
import type {
  FastifyError,
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  RouteShorthandOptions,
} from 'fastify';
import type { HttpOptions, HttpPorts } from '../http-ports.ts';
import { documented } from '../openapi/documented.ts';
import type { OperationDocs } from '../openapi/operation-docs.ts';
import { answerFailure, answerNothingHere, refuseAsJson } from '../requests/answer-error.ts';
import { networkOf } from '../requests/network-of.ts';
import { takeAnyType } from '../requests/request-bodies.ts';
import { addLogContext } from '../requests/request-log.ts';
import { systemTimer } from '../system-timer.ts';
import { answerWebhook, THROTTLED } from './answer-webhook.ts';
import {
  type AcceptedHead,
  checkHead,
  limitReading,
  limitThrottled,
  type ReadingLimit,
  ReadingLimitError,
  tryAddress,
} from './check-head.ts';
import type { IntakeLimit } from './limit-intake.ts';
import { receiveWebhook, type WebhookPorts } from './receive-webhook.ts';
import { createRejectionRecorder, type RejectedRequest } from './record-rejection.ts';
import { createRefusalThrottle, type Throttled } from './throttle-refused.ts';
import { organisationAddress, sharedAddress, type WebhookAddress } from './webhook-address.ts';
import { sharedWebhookDocs, webhookDocs } from './webhook-docs.ts';
import type { WebhookOutcome } from './webhook-outcome.ts';

type Ports = Omit<WebhookPorts, 'timer'> &
  Pick<HttpPorts, 'rejected' | 'secretFingerprints' | 'sharedSecrets' | 'sourceFingerprints' | 'throttles'>;

const BODY_LIMIT = 5 * 1024 * 1024;

interface WebhookRoute {
  /** Absent at the address that all organisations share. */
  readonly Params: { readonly orgId?: string };
  readonly Querystring: InboundDelivery['query'];
  readonly Body: Buffer | undefined;
}

type WebhookRequest = FastifyRequest<WebhookRoute>;

/** Called with the outcome of each request, for metrics. `overloaded`: it was refused unread. */
export type ObserveWebhook = (platform: string, outcome: WebhookOutcome['kind'] | 'overloaded') => void;

/**
 * One endpoint for each given platform. A request passes these checks, in this order:
 *
 * 1. `intake.admits`: more requests arrive than can be recorded (503).
 * 2. `unlessThrottled`: too many requests from its network were refused (429).
 * 3. `checkHead`, before the body is read: no such organisation (404), no credential (401).
 * 4. `limitReading`: the body is longer than its head allows.
 * 5. `receiveWebhook`: the signature is wrong (401), the body cannot be read (400), nothing can be recorded
 * (503).
 * 6. `answerOutcome`: records a refused request, and `answerWebhook` maps every outcome to a status and a
 * message.
 */
export function webhookRoutes(
  ports: Ports,
  options: Pick<HttpOptions, 'platforms' | 'sharedPlatform' | 'observeWebhook' | 'tracing'>,
  intake: IntakeLimit,
): FastifyPluginAsync {
  const shared: Shared = {
    ports: intake.watch({ ...ports, timer: systemTimer, currentTrace: options.tracing?.current }),
    intake,
    unlessThrottled: createRefusalThrottle(ports),
    recordRejection: createRejectionRecorder(ports),
    observeWebhook: options.observeWebhook,
  };
  return async (app) => {
    // Signatures cover the raw bytes, so this plugin parses no body, whatever its type.
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    );
    app.setErrorHandler((error: FastifyError, request: WebhookRequest, reply) =>
      error instanceof ReadingLimitError
        ? answerLongBody(shared, error, request, reply)
        : answerFailure(refuseAsJson)(error, request, reply),
    );
    app.setNotFoundHandler(answerNothingHere(refuseAsJson));
    for (const endpoint of listEndpoints(ports, options)) addEndpoint(app, shared, endpoint);
  };
}

/** What all endpoints use together: the limits count the requests to every one of them. */
interface Shared {
  readonly ports: WebhookPorts;
  readonly intake: IntakeLimit;
  readonly unlessThrottled: ReturnType<typeof createRefusalThrottle>;
  readonly recordRejection: ReturnType<typeof createRejectionRecorder>;
  readonly observeWebhook: ObserveWebhook | undefined;
}

interface Endpoint {
  readonly url: string;
  readonly platform: PlatformWebhook;
  readonly docs: OperationDocs;
  readonly addressOf: (orgId: string | undefined) => WebhookAddress;
}

function listEndpoints(
  ports: Ports,
  { platforms, sharedPlatform }: Pick<HttpOptions, 'platforms' | 'sharedPlatform'>,
): readonly Endpoint[] {
  const { webhook } = sharedPlatform;
  const address = sharedAddress(ports, sharedPlatform);
  return [
    ...platforms.map((platform) => ({
      url: `/:orgId/${platform.label}`,
      platform,
      docs: webhookDocs(platform),
      addressOf: (orgId = '') => organisationAddress(ports, platform.label, orgId),
    })),
    {
      url: `/${webhook.label}`,
      platform: webhook,
      docs: sharedWebhookDocs(webhook),
      addressOf: () => address,
    },
  ];
}

function addEndpoint(app: FastifyInstance, shared: Shared, endpoint: Endpoint): void {
  const { url, platform } = endpoint;
  const heads: Heads = new WeakMap();
  const options: RouteShorthandOptions<Server, IncomingMessage, ServerResponse, WebhookRoute> = {
    onRequest: [
      takeAnyType,
      async (request, reply) => checkBeforeBody(shared, endpoint, heads, request, reply),
    ],
    preParsing: (request, _reply, payload, done) => {
      const { limit } = heads.get(request) ?? {};
      done(null, limit ? limitReading(payload, platform, limit) : payload);
    },
    bodyLimit: BODY_LIMIT,
    schema: documented(endpoint.docs),
  };
  app.post<WebhookRoute>(url, options, async (request, reply) => {
    const head = heads.get(request);
    if (!head) throw new Error('The body was read, but its head was not accepted.');
    const outcome = head.kind === 'throttled' ? head : await receive(shared, endpoint, head, request);
    return answerOutcome(shared, platform, outcome, request, reply);
  });
  if (platform.triesByHead) addTrial(app, shared, endpoint);
  const method = platform.triesByHead ? OTHER_METHODS : [...OTHER_METHODS, 'HEAD'];
  const wrong = answerWrongMethod(platform);
  // Runs before the body is read.
  const config = { refusesMethod: true } as const;
  app.route({ method, url, exposeHeadRoute: false, config, onRequest: wrong, handler: wrong });
}

/** The heads of the requests whose body is read. */
type Heads = WeakMap<FastifyRequest, AcceptedHead | ThrottledHead>;

/** A throttled request is answered after its body was read, so that it can be kept. */
type ThrottledHead = Throttled & { readonly limit: ReadingLimit };

/** Answers a request whose body is not worth reading, and keeps the head of any other. */
async function checkBeforeBody(
  shared: Shared,
  { platform, addressOf }: Endpoint,
  heads: Heads,
  request: WebhookRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const { ports, intake, unlessThrottled } = shared;
  const { orgId } = request.params;
  addLogContext(request, { orgId, platform: platform.label });
  if (!intake.admits()) {
    shared.observeWebhook?.(platform.label, 'overloaded');
    return refuseLoad(request, reply);
  }
  const inbound = toInbound(ports, platform, request);
  const head = await unlessThrottled(orgId, networkOf(request.ip), () =>
    checkHead(ports, platform, addressOf(orgId), inbound),
  );
  if (head.kind === 'accepted') return void heads.set(request, head);
  const limit = head.kind === 'throttled' ? limitThrottled(platform, inbound, head) : null;
  if (limit && head.kind === 'throttled') return void heads.set(request, { ...head, limit });
  return answerOutcome(shared, platform, head, request, reply);
}

async function receive(
  { ports, unlessThrottled }: Shared,
  { platform, addressOf }: Endpoint,
  { connections }: AcceptedHead,
  request: WebhookRequest,
): Promise<WebhookOutcome> {
  const { orgId } = request.params;
  return unlessThrottled<WebhookOutcome>(orgId, networkOf(request.ip), () =>
    receiveWebhook(ports, platform, addressOf(orgId), connections, toInbound(ports, platform, request)),
  );
}

async function answerLongBody(
  shared: Shared,
  { platform, outcome }: ReadingLimitError,
  request: WebhookRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { orgId } = request.params;
  // Its head was accepted, so this refusal is not counted yet.
  const counted =
    outcome.kind === 'refused'
      ? await shared.unlessThrottled(orgId, networkOf(request.ip), async () => outcome)
      : outcome;
  return answerOutcome(shared, platform, counted, request, reply);
}

async function answerOutcome(
  { ports, recordRejection, observeWebhook }: Shared,
  platform: PlatformWebhook,
  outcome: WebhookOutcome,
  request: WebhookRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  observeWebhook?.(platform.label, outcome.kind);
  const { orgId } = request.params;
  const whole = toInbound(ports, platform, request);
  const rejection = describeRejection(outcome);
  // At the shared address the organisation of a rejected request is unknown.
  if (rejection && orgId !== undefined) {
    // A body that was not read can never be delivered, so nothing is kept of it, the credential included.
    const inbound = request.body === undefined ? { ...whole, headers: {}, query: {} } : whole;
    const network = networkOf(request.ip);
    const failed = await recordRejection({ orgId, platform, inbound, network, ...rejection });
    if (failed) addLogContext(request, failed);
  }
  return answerWebhook(outcome, request, reply, whole.receivedAt);
}

/** Answers HEAD: whether a delivery with this credential would be accepted. */
function addTrial(
  app: FastifyInstance,
  { ports, unlessThrottled }: Shared,
  { url, platform, addressOf }: Endpoint,
): void {
  app.head<WebhookRoute>(url, async (request, reply) => {
    const { orgId } = request.params;
    addLogContext(request, { orgId, platform: platform.label });
    const inbound = toInbound(ports, platform, request);
    const tried = await unlessThrottled(orgId, networkOf(request.ip), () =>
      tryAddress(ports, platform, addressOf(orgId), inbound),
    );
    return tried.kind === 'right' ? reply.send() : answerWebhook(tried, request, reply, inbound.receivedAt);
  });
}

function toInbound(
  { clock }: Pick<WebhookPorts, 'clock'>,
  { label }: PlatformWebhook,
  request: WebhookRequest,
): InboundDelivery {
  return {
    platform: label,
    body: request.body ?? new Uint8Array(),
    headers: request.raw.headers,
    query: request.query,
    receivedAt: clock.now(),
  };
}

function describeRejection(outcome: WebhookOutcome): Pick<RejectedRequest, 'reason' | 'isKept'> | null {
  if (outcome.kind === 'refused') return { reason: outcome.reason, isKept: true };
  if (outcome.kind !== 'throttled' || outcome.noted === 'not') return null;
  return { reason: THROTTLED, isKept: outcome.noted === 'kept' };
}

/** The body is not read: the refusal is cheap, and the sender knows at once that it has to send again. */
function refuseLoad(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  addLogContext(request, { reason: OVERLOADED });
  return refuseAsJson(reply.header('retry-after', 5), 503, OVERLOADED);
}

const OVERLOADED = 'More is coming in than can be recorded right now. Send it again in a moment.';

const OTHER_METHODS = ['GET', 'PUT', 'PATCH', 'DELETE'];

function answerWrongMethod({ triesByHead }: PlatformWebhook) {
  return async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reply.header('allow', triesByHead ? 'HEAD, POST' : 'POST');
    return refuseAsJson(
      reply,
      405,
      'This address takes deliveries by POST. Enter it as the webhook URL of your shop.',
    );
  };
}

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { InboundDelivery, PlatformWebhook } from '@handover/platform-contract';
import type {
  FastifyError,
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  onRequestAsyncHookHandler,
  RouteShorthandOptions,
} from 'fastify';
import { networkOf } from '../customer/network-of.ts';
import type { HttpOptions, HttpPorts } from '../http-ports.ts';
import { documented } from '../openapi/documented.ts';
import type { OperationDocs } from '../openapi/operation-docs.ts';
import { answerJsonFailure, answerNoEndpoint, refuse } from '../requests/answer-json.ts';
import { checkChunks } from '../requests/limit-bodies.ts';
import { addLogContext } from '../requests/request-log.ts';
import { takeAnyType } from '../requests/take-any-type.ts';
import { systemTimer } from '../system-timer.ts';
import { answerWebhook, THROTTLED } from './answer-webhook.ts';
import { type AcceptedHead, checkHead, limitThrottled, type ReadingLimit } from './check-head.ts';
import type { IntakeLimit } from './limit-intake.ts';
import { createRejectionNotes, type RejectedRequest } from './note-rejection.ts';
import { receiveWebhook, type WebhookOutcome, type WebhookPorts } from './receive-webhook.ts';
import { createRefusalThrottle, type Throttled } from './throttle-refused.ts';
import { tryAddress } from './try-address.ts';
import { organisationAddress, sharedAddress, type WebhookAddress } from './webhook-address.ts';
import { sharedWebhookDocs, webhookDocs } from './webhook-docs.ts';

type Ports = Omit<WebhookPorts, 'timer'> &
  Pick<HttpPorts, 'rejected' | 'secretFingerprints' | 'sharedSecrets' | 'sourceFingerprints' | 'throttles'>;

const BODY_LIMIT = 5 * 1024 * 1024;

interface WebhookRoute {
  /** Absent at the address that all organisations share. */
  readonly Params: { readonly orgId?: string };
  readonly Querystring: InboundDelivery['query'];
  readonly Body: Buffer | undefined;
}

/** Called with the outcome of each request, for metrics. `overloaded`: it was refused unread. */
export type NoteWebhook = (platform: string, outcome: WebhookOutcome['kind'] | 'overloaded') => void;

/** A throttled request is answered after its body was read, so that it can be kept. */
type ThrottledHead = Throttled & { readonly limit: ReadingLimit };

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
  {
    platforms,
    sharedPlatform,
    noteWebhook,
    tracing,
  }: Pick<HttpOptions, 'platforms' | 'sharedPlatform' | 'noteWebhook' | 'tracing'>,
  intake: IntakeLimit,
): FastifyPluginAsync {
  const webhookPorts: WebhookPorts = intake.watch({
    ...ports,
    timer: systemTimer,
    currentTrace: tracing?.current,
  });
  const noteRejection = createRejectionNotes(ports);
  const unlessThrottled = createRefusalThrottle(ports);
  return async (app) => {
    // Signatures cover the raw bytes, so this plugin parses no body, whatever its type.
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    );
    app.setErrorHandler((error: FastifyError, request: FastifyRequest<WebhookRoute>, reply) =>
      error instanceof ReadingLimitError
        ? answerLongBody(error, request, reply)
        : answerJsonFailure(error, request, reply),
    );
    app.setNotFoundHandler(answerNoEndpoint);

    for (const platform of platforms) {
      addEndpoint(app, `/:orgId/${platform.label}`, platform, webhookDocs(platform), (orgId = '') =>
        organisationAddress(ports, platform.label, orgId),
      );
    }
    const { webhook } = sharedPlatform;
    const shared = sharedAddress(ports, sharedPlatform);
    addEndpoint(app, `/${webhook.label}`, webhook, sharedWebhookDocs(webhook), () => shared);
  };

  function addEndpoint(
    app: FastifyInstance,
    url: string,
    platform: PlatformWebhook,
    docs: OperationDocs,
    addressOf: (orgId: string | undefined) => WebhookAddress,
  ): void {
    const heads = new WeakMap<FastifyRequest, AcceptedHead | ThrottledHead>();

    const checkFirst: onRequestAsyncHookHandler<
      Server,
      IncomingMessage,
      ServerResponse,
      WebhookRoute
    > = async (request, reply) => {
      const { orgId } = request.params;
      addLogContext(request, { orgId, platform: platform.label });
      if (!intake.admits()) {
        noteWebhook?.(platform.label, 'overloaded');
        return refuseLoad(request, reply);
      }
      const inbound = toInbound(request, platform);
      const head = await unlessThrottled(orgId, networkOf(request.ip), () =>
        checkHead(webhookPorts, platform, addressOf(orgId), inbound),
      );
      if (head.kind === 'accepted') return void heads.set(request, head);
      const limit = head.kind === 'throttled' ? limitThrottled(platform, inbound, head) : null;
      if (limit && head.kind === 'throttled') return void heads.set(request, { ...head, limit });
      return answerOutcome(head, platform, request, reply);
    };

    const options: RouteShorthandOptions<Server, IncomingMessage, ServerResponse, WebhookRoute> = {
      onRequest: [takeAnyType, checkFirst],
      preParsing: (request, _reply, payload, done) => {
        const { limit } = heads.get(request) ?? {};
        done(null, limit ? limitReading(payload, platform, limit) : payload);
      },
      bodyLimit: BODY_LIMIT,
      schema: documented(docs),
    };
    app.post<WebhookRoute>(url, options, async (request, reply) => {
      const head = heads.get(request);
      if (!head) throw new Error('The body was read, but its head was not accepted.');
      if (head.kind === 'throttled') return answerOutcome(head, platform, request, reply);
      const { orgId } = request.params;
      const outcome: WebhookOutcome = await unlessThrottled(orgId, networkOf(request.ip), () =>
        receiveWebhook(webhookPorts, platform, addressOf(orgId), head.signers, toInbound(request, platform)),
      );
      return answerOutcome(outcome, platform, request, reply);
    });
    if (platform.triesByHead) addTrial(app, url, platform, addressOf);
    const method = platform.triesByHead ? OTHER_METHODS : [...OTHER_METHODS, 'HEAD'];
    const wrong = answerWrongMethod(platform);
    // Runs before the body is read.
    app.route({ method, url, exposeHeadRoute: false, onRequest: wrong, handler: wrong });
  }

  async function answerLongBody(
    { platform, outcome }: ReadingLimitError,
    request: FastifyRequest<WebhookRoute>,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { orgId } = request.params;
    // Its head was accepted, so this refusal is not counted yet.
    const counted =
      outcome.kind === 'refused'
        ? await unlessThrottled(orgId, networkOf(request.ip), async () => outcome)
        : outcome;
    return answerOutcome(counted, platform, request, reply);
  }

  async function answerOutcome(
    outcome: WebhookOutcome,
    platform: PlatformWebhook,
    request: FastifyRequest<WebhookRoute>,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    noteWebhook?.(platform.label, outcome.kind);
    const { orgId } = request.params;
    const whole = toInbound(request, platform);
    const rejection = describeRejection(outcome);
    // At the shared address the organisation of a rejected request is unknown.
    if (rejection && orgId !== undefined) {
      // A body that was not read can never be delivered, so nothing is kept of it, the credential included.
      const inbound = request.body === undefined ? { ...whole, headers: {}, query: {} } : whole;
      const failed = await noteRejection({
        orgId,
        platform,
        inbound,
        network: networkOf(request.ip),
        ...rejection,
      });
      if (failed) addLogContext(request, failed);
    }
    return answerWebhook(outcome, request, reply, whole.receivedAt);
  }

  function addTrial(
    app: FastifyInstance,
    url: string,
    platform: PlatformWebhook,
    addressOf: (orgId: string | undefined) => WebhookAddress,
  ): void {
    app.head<WebhookRoute>(url, async (request, reply) => {
      const { orgId } = request.params;
      addLogContext(request, { orgId, platform: platform.label });
      const inbound = toInbound(request, platform);
      const tried = await unlessThrottled(orgId, networkOf(request.ip), () =>
        tryAddress(ports, platform, addressOf(orgId), inbound),
      );
      return tried.kind === 'right' ? reply.send() : answerWebhook(tried, request, reply, inbound.receivedAt);
    });
  }

  function toInbound(request: FastifyRequest<WebhookRoute>, { label }: PlatformWebhook): InboundDelivery {
    return {
      platform: label,
      body: request.body ?? new Uint8Array(),
      headers: request.raw.headers,
      query: request.query,
      receivedAt: ports.clock.now(),
    };
  }
}

function describeRejection(outcome: WebhookOutcome): Pick<RejectedRequest, 'reason' | 'isKept'> | null {
  if (outcome.kind === 'refused') return { reason: outcome.reason, isKept: true };
  if (outcome.kind !== 'throttled' || outcome.noted === 'not') return null;
  return { reason: THROTTLED, isKept: outcome.noted === 'kept' };
}

/** The body is not read: the refusal is cheap, and the sender knows at once that it has to send again. */
function refuseLoad(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  addLogContext(request, { reason: OVERLOADED });
  return refuse(reply.header('retry-after', 5), 503, OVERLOADED);
}

const OVERLOADED = 'More is coming in than can be recorded right now. Send it again in a moment.';

const OTHER_METHODS = ['GET', 'PUT', 'PATCH', 'DELETE'];

function answerWrongMethod({ triesByHead }: PlatformWebhook) {
  return async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reply.header('allow', triesByHead ? 'HEAD, POST' : 'POST');
    return refuse(
      reply,
      405,
      'This address takes deliveries by POST. Enter it as the webhook URL of your shop.',
    );
  };
}

/** The body is longer than the reading limit. */
class ReadingLimitError extends Error {
  readonly code = 'reading-limit';
  readonly platform: PlatformWebhook;
  readonly outcome: WebhookOutcome;

  constructor(platform: PlatformWebhook, outcome: WebhookOutcome) {
    super('The body is longer than is worth reading.');
    this.platform = platform;
    this.outcome = outcome;
  }
}

/** Passes the body of a delivery on and fails beyond the limit: a chunked body announces no length. */
function limitReading(
  body: Readable,
  platform: PlatformWebhook,
  { maxBytes, otherwise }: ReadingLimit,
): Readable {
  let received = 0;
  return checkChunks(body, (bytes) => {
    received += bytes;
    return received > maxBytes ? new ReadingLimitError(platform, otherwise) : null;
  });
}

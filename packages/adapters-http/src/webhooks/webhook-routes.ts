import type { InboundDelivery, PlatformWebhook } from '@handover/platform-contract';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { HttpOptions, HttpPorts } from '../http-ports.ts';
import { answerJsonFailure, answerNoEndpoint, refuse } from '../requests/answer-json.ts';
import { noteForLog } from '../requests/request-log.ts';
import { takeAnyType } from '../requests/take-any-type.ts';
import { receiveWebhook, type WebhookOutcome } from './receive-webhook.ts';
import { webhookDocs } from './webhook-docs.ts';

const BODY_LIMIT = 5 * 1024 * 1024;

interface WebhookRoute {
  readonly Params: { readonly orgId: string };
  readonly Querystring: InboundDelivery['query'];
  readonly Body: Buffer | undefined;
}

/** One endpoint for each platform that is given. */
export function webhookRoutes(
  ports: HttpPorts,
  { platforms }: Pick<HttpOptions, 'platforms'>,
): FastifyPluginAsync {
  return async (app) => {
    // Signatures are over the bytes as they came, so within this plugin no body is parsed, whatever its type.
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    );
    app.setErrorHandler(answerJsonFailure);
    app.setNotFoundHandler(answerNoEndpoint);

    for (const platform of platforms) {
      addEndpoint(app, platform, (inbound) => receiveWebhook(ports, platform, inbound));
    }

    function addEndpoint(
      endpoints: FastifyInstance,
      platform: PlatformWebhook,
      take: (inbound: InboundDelivery) => Promise<WebhookOutcome>,
    ): void {
      const path = `/:orgId/${platform.label}`;
      const config = { docs: webhookDocs(platform) };
      const options = { onRequest: takeAnyType, bodyLimit: BODY_LIMIT, config };
      endpoints.post<WebhookRoute>(path, options, async (request, reply) => {
        noteForLog(request, { orgId: request.params.orgId, platform: platform.label });
        const outcome = await take({
          orgId: request.params.orgId,
          platform: platform.label,
          body: request.body ?? new Uint8Array(),
          headers: request.raw.headers,
          query: request.query,
          receivedAt: ports.clock.now(),
        });
        return answer(outcome, request, reply);
      });
      endpoints.route({ method: OTHER_METHODS, url: path, handler: answerWrongMethod });
    }
  };
}

const OTHER_METHODS = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'];

function answerWrongMethod(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('allow', 'POST');
  return refuse(
    reply,
    405,
    'This address takes deliveries by POST. Enter it as the webhook URL of your shop.',
  );
}

function answer(
  outcome: WebhookOutcome,
  request: FastifyRequest<WebhookRoute>,
  reply: FastifyReply,
): FastifyReply {
  switch (outcome.kind) {
    case 'unknown-organisation':
      return refuse(reply, 404, 'There is no such organisation. Copy the webhook URL again.');
    case 'ping':
      return reply.send({ received: true });
    case 'refused':
      noteForLog(request, { reason: outcome.reason });
      return refuse(reply, 401, outcome.reason);
    case 'not-recorded':
      noteForLog(request, { error: outcome.error });
      reply.header('retry-after', 5);
      return refuse(reply, 503, 'The delivery could not be recorded. Send it again in a moment.');
    case 'unreadable':
      noteForLog(request, {
        deliveryId: outcome.deliveryId,
        deliveryStatus: 'error',
        reason: outcome.problem,
        ...(outcome.cause === undefined ? {} : { error: outcome.cause }),
      });
      return refuse(reply, 400, outcome.problem);
    case 'recorded':
      return answerRecorded(outcome, request, reply);
  }
}

function answerRecorded(
  { deliveries, trouble }: Extract<WebhookOutcome, { kind: 'recorded' }>,
  request: FastifyRequest<WebhookRoute>,
  reply: FastifyReply,
): FastifyReply {
  const [first] = deliveries;
  noteForLog(request, {
    ...(first ? { deliveryId: first.deliveryId, orderId: first.orderId, deliveryStatus: first.status } : {}),
    ...(first?.reason ? { reason: first.reason } : {}),
    ...(deliveries.length > 1 ? { deliveries: deliveries.length } : {}),
    ...(trouble ? { fulfilment: trouble.kind } : {}),
    ...(trouble?.kind === 'failed' ? { error: trouble.error } : {}),
  });
  const answered = deliveries.map(({ deliveryId, orderId, status }) => ({ deliveryId, orderId, status }));
  const { deliveryId, status } = first ?? {};
  return reply.send({ received: true, deliveryId, status, deliveries: answered });
}

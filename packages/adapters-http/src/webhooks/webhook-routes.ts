import type { InboundDelivery, PlatformWebhook } from '@handover/platform-contract';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { HttpOptions, HttpPorts } from '../http-ports.ts';
import type { OperationDocs } from '../openapi/operation-docs.ts';
import { answerJsonFailure, answerNoEndpoint, refuse } from '../requests/answer-json.ts';
import { noteForLog } from '../requests/request-log.ts';
import { takeAnyType } from '../requests/take-any-type.ts';
import { answerWebhook } from './answer-webhook.ts';
import { receiveWebhook } from './receive-webhook.ts';
import { organisationAddress, sharedAddress, type WebhookAddress } from './webhook-address.ts';
import { sharedWebhookDocs, webhookDocs } from './webhook-docs.ts';

const BODY_LIMIT = 5 * 1024 * 1024;

interface WebhookRoute {
  /** Absent at the address that all organisations share. */
  readonly Params: { readonly orgId?: string };
  readonly Querystring: InboundDelivery['query'];
  readonly Body: Buffer | undefined;
}

/** One endpoint for each platform that is given. */
export function webhookRoutes(
  ports: HttpPorts,
  { platforms, sharedPlatform }: Pick<HttpOptions, 'platforms' | 'sharedPlatform'>,
): FastifyPluginAsync {
  return async (app) => {
    // Signatures are over the bytes as they came, so within this plugin no body is parsed, whatever its type.
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    );
    app.setErrorHandler(answerJsonFailure);
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
    const options = { onRequest: takeAnyType, bodyLimit: BODY_LIMIT, config: { docs } };
    app.post<WebhookRoute>(url, options, async (request, reply) => {
      const { orgId } = request.params;
      noteForLog(request, { orgId, platform: platform.label });
      const outcome = await receiveWebhook(ports, platform, addressOf(orgId), {
        platform: platform.label,
        body: request.body ?? new Uint8Array(),
        headers: request.raw.headers,
        query: request.query,
        receivedAt: ports.clock.now(),
      });
      return answerWebhook(outcome, request, reply);
    });
    app.route({ method: OTHER_METHODS, url, handler: answerWrongMethod });
  }
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

import { isSameSecret } from '@handover/platform-contract';
import type { FastifyPluginAsync } from 'fastify';
import { Type } from 'typebox';
import { readBearer } from './auth/caller.ts';
import { documented } from './openapi/documented.ts';
import type { OperationDocs } from './openapi/operation-docs.ts';
import { plainText } from './openapi/responses.ts';
import { refuseAsText } from './requests/answer-error.ts';
import { isLocalRequest } from './requests/local-request.ts';

/** The metrics of this process, and who may read them. */
export interface MetricsEndpoint {
  /** Sent as `Authorization: Bearer`. Null: only programs on this machine may read them. */
  readonly token: string | null;
  /** In the text format of Prometheus. It must not reject, whatever is down. */
  read(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** For an app without metrics. */
export const NO_METRICS: MetricsEndpoint = {
  token: null,
  read: async () => ({ contentType: 'text/plain; charset=utf-8', text: '' }),
};

/**
 * `GET /metrics`, which is never public. Behind a proxy that sends a loopback `Host` and no header of its own, which is
 * what nginx does by default, the whole internet looks like a program on this machine. So a port that a proxy `mayForwardTo`
 * needs a token.
 */
export function metricsRoutes(
  { token, read }: MetricsEndpoint,
  { mayForwardTo }: { readonly mayForwardTo: boolean },
): FastifyPluginAsync {
  return async (app) => {
    // A scrape comes every few seconds.
    const options = { logLevel: 'warn', schema: documented(metricsDocs) } as const;
    app.get('/metrics', options, async (request, reply) => {
      reply.header('cache-control', 'no-store');
      if (token === null && mayForwardTo) return refuseAsText(reply, 403, ELSEWHERE);
      if (token === null && !isLocalRequest(request.raw)) return refuseAsText(reply, 403, ONLY_HERE);
      if (token !== null && !isSameSecret(token, readBearer(request.headers) ?? '')) {
        return refuseAsText(reply.header('www-authenticate', 'Bearer'), 401, WRONG_TOKEN);
      }
      const { contentType, text } = await read();
      return reply.header('content-type', contentType).send(text);
    });
  };
}

const ONLY_HERE =
  'Metrics are for programs on this machine. Set METRICS_TOKEN, and send it as “Authorization: Bearer <token>”.';
const ELSEWHERE =
  'The pages of this port are public, so its metrics need a METRICS_TOKEN, sent as “Authorization: Bearer <token>”. Or set METRICS_PORT, which answers programs on this machine.';
const WRONG_TOKEN = 'Send the METRICS_TOKEN of this installation as “Authorization: Bearer <token>”.';

const metricsDocs: OperationDocs = {
  tag: 'Operations',
  origin: 'addition',
  access: 'open',
  operationId: 'readMetrics',
  summary: 'The metrics of this process',
  description:
    'Metrics in the text format of Prometheus. With `METRICS_TOKEN`, requests need it as a Bearer token; without it, only direct requests of programs on the same machine are answered, and where `SITE_URL` is public, only at `METRICS_PORT`. The metrics of a process without a database are answered, too: `handover_database_up` is 0 then.',
  responses: {
    200: {
      description: 'The metrics.',
      contentType: 'text/plain',
      schema: Type.String({ description: 'One metric a line.' }),
      example: 'handover_database_up{role="all"} 1\n',
    },
    401: {
      ...plainText('The token is missing or wrong.'),
      headers: Type.Object({
        'WWW-Authenticate': Type.String({ description: 'How to sign in.', examples: ['Bearer'] }),
      }),
    },
    403: plainText(
      'There is no token, and the request came from another machine or through a proxy, or the pages of this port are public.',
    ),
  },
};

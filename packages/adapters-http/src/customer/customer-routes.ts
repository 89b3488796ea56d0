import { type OpenFileResult, type OpenLinkResult, openDownloadLink } from '@handover/domain';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { whileDatabaseAnswers } from '../database-answers.ts';
import type { HttpPorts } from '../http-ports.ts';
import { documented } from '../openapi/documented.ts';
import { sendPage } from '../pages/answer-page.ts';
import { notFoundPage } from '../pages/plain-pages.ts';
import { addLogContext } from '../requests/request-log.ts';
import { downloadPageDocs } from './customer-docs.ts';
import { downloadPage } from './download-page.ts';
import { expiredPage, revokedPage } from './ended-link-pages.ts';

type Ports = Pick<HttpPorts, 'clock' | 'database' | 'links' | 'tokens'>;

interface PageRoute {
  readonly Params: { readonly token: string };
}

/** The buyer's page behind a download link. */
export function customerRoutes(ports: Ports): FastifyPluginAsync {
  return async (app) => {
    app.get<PageRoute>('/d/:token', { schema: documented(downloadPageDocs) }, async (request, reply) => {
      const { token } = request.params;
      addLogContext(request, { orgId: ports.tokens.open(token)?.orgId });
      // Link scanners send HEAD before a person opens the page, so HEAD changes nothing.
      const opening = openDownloadLink(ports, token, { refresh: request.method !== 'HEAD' });
      const result = await whileDatabaseAnswers(ports.database, opening);
      if (result.kind !== 'open') return answerEnded(reply, result, token);
      const page = downloadPage(result.page, token, ports.clock.now());
      return sendPage(reply, 200, page, { scripts: 'own' });
    });
  };
}

/** Sends the page for a link that does not work. */
export function answerEnded(
  reply: FastifyReply,
  result: Exclude<OpenLinkResult | OpenFileResult, { kind: 'open' }>,
  token: string,
): FastifyReply {
  switch (result.kind) {
    case 'expired':
      return sendPage(reply, 410, expiredPage(result.page, token));
    case 'revoked':
      return sendPage(reply, 410, revokedPage(result.page));
    case 'unknown':
      return sendPage(reply, 404, notFoundPage());
  }
}

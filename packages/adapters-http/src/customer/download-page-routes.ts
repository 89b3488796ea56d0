import {
  DEFAULT_LANGUAGE,
  type OpenFileResult,
  type OpenLinkResult,
  openDownloadLink,
} from '@handover/domain';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { whileDatabaseAnswers } from '../database-answers.ts';
import type { HttpPorts } from '../http-ports.ts';
import { documented } from '../openapi/documented.ts';
import type { OperationDocs } from '../openapi/operation-docs.ts';
import { page, pageErrors } from '../openapi/responses.ts';
import { sendBuyerPage } from '../pages/answer-page.ts';
import { notFoundPage } from '../pages/plain-pages.ts';
import { negotiateWording } from '../requests/negotiate-language.ts';
import { addLogContext } from '../requests/request-log.ts';
import { ended, shared, token } from './customer-docs.ts';
import { downloadPage } from './download-page.ts';
import { expiredPage, revokedPage } from './ended-link-pages.ts';

type Ports = Pick<HttpPorts, 'clock' | 'database' | 'links' | 'tokens'>;

interface PageRoute {
  readonly Params: { readonly token: string };
}

/** The buyer's page behind a download link. */
export function downloadPageRoutes(ports: Ports): FastifyPluginAsync {
  return async (app) => {
    app.get<PageRoute>('/d/:token', { schema: documented(downloadPageDocs) }, async (request, reply) => {
      const { token } = request.params;
      addLogContext(request, { orgId: ports.tokens.open(token)?.orgId });
      // Link scanners send HEAD before a person opens the page, so HEAD changes nothing.
      const opening = openDownloadLink(ports, token, { refresh: request.method !== 'HEAD' });
      const result = await whileDatabaseAnswers(ports.database, opening);
      if (result.kind !== 'open') return answerEnded(request, reply, result, token);
      const wording = negotiateWording(request, result.page.organisation.language);
      const shown = downloadPage(wording, result.page, token, ports.clock.now());
      return sendBuyerPage(reply, 200, wording, shown, { scripts: 'own' });
    });
  };
}

/** Sends the page for a link that does not work. */
export function answerEnded(
  request: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  result: Exclude<OpenLinkResult | OpenFileResult, { kind: 'open' }>,
  token: string,
): FastifyReply {
  const ofShop = result.kind === 'unknown' ? DEFAULT_LANGUAGE : result.page.organisation.language;
  const wording = negotiateWording(request, ofShop);
  switch (result.kind) {
    case 'expired':
      return sendBuyerPage(reply, 410, wording, expiredPage(wording, result.page, token), { scripts: 'own' });
    case 'revoked':
      return sendBuyerPage(reply, 410, wording, revokedPage(wording, result.page));
    case 'unknown':
      return sendBuyerPage(reply, 404, wording, notFoundPage(wording));
  }
}

const downloadPageDocs: OperationDocs = {
  ...shared,
  operationId: 'openDownloadPage',
  summary: 'The page behind a link',
  description:
    'Names the product and offers its files. Opening it extends the link to 48 hours from now; `HEAD` changes nothing, and opening never marks the link as used.',
  params: Type.Object({ token }),
  responses: { 200: page('The page.'), ...pageErrors(ended) },
};

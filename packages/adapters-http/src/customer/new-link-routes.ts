import { type RequestFreshLinkResult, requestFreshLink } from '@handover/domain';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { whileDatabaseAnswers } from '../database-answers.ts';
import type { HttpPorts } from '../http-ports.ts';
import { documented } from '../openapi/documented.ts';
import type { OperationDocs } from '../openapi/operation-docs.ts';
import { page, pageErrors } from '../openapi/responses.ts';
import { sendBuyerPage } from '../pages/answer-page.ts';
import { retryLater } from '../requests/answer-error.ts';
import { negotiateWording, readRequestedLanguage } from '../requests/negotiate-language.ts';
import { addLogContext } from '../requests/request-log.ts';
import { ended, shared, token } from './customer-docs.ts';
import { answerEnded } from './download-page-routes.ts';
import { newLinkPage, newLinkThrottledPage } from './ended-link-pages.ts';
import { acceptSmallForms } from './form-bodies.ts';

type Ports = Pick<
  HttpPorts,
  'clock' | 'database' | 'downloadLinkEmails' | 'ids' | 'links' | 'throttles' | 'tokens'
>;

interface NewLinkRoute {
  readonly Params: { readonly token: string };
}

/** Handles the button of the expired page. */
export function newLinkRoutes(ports: Ports): FastifyPluginAsync {
  return async (app) => {
    acceptSmallForms(app);

    app.post<NewLinkRoute>(
      '/d/:token/new-link',
      { schema: documented(newLinkDocs) },
      async (request, reply) => {
        const { token } = request.params;
        addLogContext(request, { orgId: ports.tokens.open(token)?.orgId });
        const requesting = requestFreshLink(ports, token, readRequestedLanguage(request));
        const result = await whileDatabaseAnswers(ports.database, requesting);
        return answer(request, reply, result, token, ports.clock.now());
      },
    );
  };
}

function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  result: RequestFreshLinkResult,
  token: string,
  now: Date,
): FastifyReply {
  if (result.kind === 'open') return reply.redirect(`/d/${encodeURIComponent(token)}`, 303);
  if (result.kind === 'unknown' || result.kind === 'revoked')
    return answerEnded(request, reply, result, token);
  const wording = negotiateWording(request, result.page.organisation.language);
  if (result.kind === 'mailed') return sendBuyerPage(reply, 200, wording, newLinkPage(wording, result.page));
  retryLater(reply, result.until, now);
  const page = newLinkThrottledPage(wording, result.page, result.until, now);
  return sendBuyerPage(reply, 429, wording, page, { scripts: 'own' });
}

const newLinkDocs: OperationDocs = {
  ...shared,
  operationId: 'requestNewLink',
  summary: 'Mail a new link for an expired one',
  description:
    'Mails a new link to the address of the purchase, and to no other. The old link stays expired. What the page’s button does.',
  params: Type.Object({ token }),
  responses: {
    200: page('The new link is on its way. The page says to which address.'),
    303: { description: 'The link works: its page is where `Location` points.' },
    ...pageErrors({
      ...ended,
      410: 'The link was revoked. The page says whom to ask.',
      429: 'Too many requests for this link or address. The page says when to try again.',
    }),
  },
};

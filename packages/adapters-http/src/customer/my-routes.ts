import cookies from '@fastify/cookie';
import { type RequestMyLinksResult, requestMyLinks } from '@handover/domain';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { SiteCookie } from '../auth/cookies.ts';
import { whileDatabaseAnswers } from '../database-answers.ts';
import type { HttpPorts } from '../http-ports.ts';
import type { Wording } from '../messages/wording-of.ts';
import { documented } from '../openapi/documented.ts';
import { text } from '../openapi/fields.ts';
import type { OperationDocs } from '../openapi/operation-docs.ts';
import { LATE, page, pageErrors } from '../openapi/responses.ts';
import { retryLater } from '../requests/answer-error.ts';
import { negotiateWording, readRequestedLanguage } from '../requests/negotiate-language.ts';
import { networkOf } from '../requests/network-of.ts';
import { failures, shared } from './customer-docs.ts';
import { acceptSmallForms } from './form-bodies.ts';
import { sendMyPage } from './my-page.ts';

type Ports = Pick<HttpPorts, 'clock' | 'database' | 'downloadLinkEmails' | 'ids' | 'throttles' | 'tokens'>;

interface MyRoute {
  readonly Body: URLSearchParams | undefined;
}

/** Buyers request new links to all their purchases here. */
export function myRoutes(ports: Ports, library: SiteCookie): FastifyPluginAsync {
  return async (app) => {
    await app.register(cookies);
    acceptSmallForms(app);

    app.get('/my', { schema: documented(myPageDocs) }, async (request, reply) => {
      const token = library.read(request);
      if (token !== null && ports.tokens.openLibrary(token)) {
        return reply.redirect(`/my/${encodeURIComponent(token)}`, 303);
      }
      const wording = negotiateWording(request);
      return sendMyPage(reply, 200, wording, { kind: 'asked-nothing' });
    });

    app.post<MyRoute>('/my', { schema: documented(requestMyLinksDocs) }, async (request, reply) => {
      const email = request.body?.get('email')?.trim() ?? '';
      const requesting = requestMyLinks(ports, {
        email,
        network: networkOf(request.ip),
        language: readRequestedLanguage(request),
      });
      const result = await whileDatabaseAnswers(ports.database, requesting);
      return answer(negotiateWording(request), reply, result, email, ports.clock.now());
    });
  };
}

function answer(
  wording: Wording,
  reply: FastifyReply,
  result: RequestMyLinksResult,
  email: string,
  now: Date,
): FastifyReply {
  switch (result.kind) {
    case 'noted':
      return sendMyPage(reply, 200, wording, result, email);
    case 'invalid-email':
      return sendMyPage(reply, 400, wording, result, email);
    case 'throttled':
      retryLater(reply, result.until, now);
      return sendMyPage(reply, 429, wording, { ...result, now }, email);
  }
}

const myPageDocs: OperationDocs = {
  ...shared,
  operationId: 'openMyPage',
  summary: 'The page for new links',
  description:
    'Asks for an e-mail address, and for nothing else. On a device that opened a library it leads there.',
  responses: {
    200: page('The page.'),
    303: { description: 'This device has opened a library: its page is where `Location` points.' },
  },
};

const requestMyLinksDocs: OperationDocs = {
  ...shared,
  operationId: 'requestMyLinks',
  summary: 'Mail new links for everything bought',
  description:
    'Mails new links for everything bought with the address, at any organisation, to that address. The answer is the same whether anything was bought or not. Links mailed before stay as they are.',
  body: {
    description: 'The address, as a form.',
    contentTypes: ['application/x-www-form-urlencoded'],
    schema: Type.Object({
      email: text('The e-mail address.', 'ana@example.com'),
    }),
    example: { email: 'ana@example.com' },
  },
  responses: {
    200: page('Accepted. The page says that a mail is on its way if anything was bought.'),
    ...pageErrors({
      400: '`email` is not an e-mail address.',
      408: LATE,
      413: 'The form is larger than 4 KiB.',
      415: 'The body is not a form.',
      429: 'Too many requests for this address, or from this network. The page says when to try again.',
      ...failures,
    }),
  },
};

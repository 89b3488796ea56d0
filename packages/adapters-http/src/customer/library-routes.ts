import cookies from '@fastify/cookie';
import { LINK_LIFETIME_MS, openLibrary } from '@handover/domain';
import type { FastifyPluginAsync } from 'fastify';
import { Type } from 'typebox';
import { createSiteCookie, type SiteCookie } from '../auth/cookies.ts';
import { whileDatabaseAnswers } from '../database-answers.ts';
import type { HttpPorts } from '../http-ports.ts';
import { documented } from '../openapi/documented.ts';
import { text } from '../openapi/fields.ts';
import type { OperationDocs } from '../openapi/operation-docs.ts';
import { page, pageErrors } from '../openapi/responses.ts';
import { sendBuyerPage } from '../pages/answer-page.ts';
import { basePathOf } from '../pages/lead-below.ts';
import { notFoundPage } from '../pages/plain-pages.ts';
import { negotiateWording } from '../requests/negotiate-language.ts';
import { addLogContext } from '../requests/request-log.ts';
import { failures, shared } from './customer-docs.ts';
import { acceptSmallForms } from './form-bodies.ts';
import { libraryPage } from './library-page.ts';
import { sendMyPage } from './my-page.ts';

type Ports = Pick<HttpPorts, 'clock' | 'database' | 'links' | 'tokens'>;

interface LibraryRoute {
  readonly Params: { readonly token: string };
  readonly Querystring: Readonly<Record<string, unknown>>;
}

/**
 * The cookie holds the token of a library's address, so it opens that library and nothing else. Its path is that of the browser,
 * also where the site is a part of another one.
 */
export function createLibraryCookie(siteUrl: string): SiteCookie {
  return createSiteCookie(siteUrl, 'handover-library', LINK_LIFETIME_MS / 1000, `${basePathOf(siteUrl)}/my`);
}

/** The library behind the mail that /my sends. */
export function libraryRoutes(ports: Ports, cookie: SiteCookie): FastifyPluginAsync {
  return async (app) => {
    await app.register(cookies);
    acceptSmallForms(app);

    app.get<LibraryRoute>('/my/:token', { schema: documented(openLibraryDocs) }, async (request, reply) => {
      const { token } = request.params;
      const before = typeof request.query.before === 'string' ? request.query.before : null;
      addLogContext(request, { orgId: ports.tokens.openLibrary(token)?.orgId });
      const renew = request.method !== 'HEAD';
      const opening = openLibrary(ports, token, { before, renew });
      const result = await whileDatabaseAnswers(ports.database, opening);
      if (result.kind === 'unknown') {
        // A deleted test purchase takes its links along, and /my would lead here as long as the cookie lasts.
        if (renew && cookie.read(request) === token) cookie.clear(reply);
        const wording = negotiateWording(request);
        return sendBuyerPage(reply, 404, wording, notFoundPage(wording));
      }
      const wording = negotiateWording(request, result.page.organisation.language);
      if (result.kind === 'ended') {
        if (renew) cookie.clear(reply);
        return sendMyPage(reply, 410, wording, { kind: 'library-ended' });
      }
      if (renew) cookie.set(reply, token);
      const library = { ...result, token, isOlder: before !== null, now: ports.clock.now() };
      const shown = libraryPage(wording, ports.tokens, library);
      return sendBuyerPage(reply, 200, wording, shown, { scripts: 'own' });
    });

    app.post('/my/sign-out', { schema: documented(leaveLibraryDocs) }, async (_request, reply) => {
      cookie.clear(reply);
      return reply.redirect('/my', 303);
    });
  };
}

const openLibraryDocs: OperationDocs = {
  ...shared,
  operationId: 'openLibrary',
  summary: 'Everything that a buyer bought',
  description:
    'The page that the mail of `/my` leads to: everything bought with its address at any organisation, newest first, 20 purchases a page. It works as long as the newest link of that mail. Opening it gives this link, and the working ones that it shows, 48 hours from now, and sets a cookie for `/my` that opens this page again; `HEAD` changes nothing.',
  params: Type.Object({
    token: text('The last part of the address in the mail.', 'TOKEN'),
  }),
  query: Type.Object({
    before: Type.Optional(Type.String({ description: 'The last purchase of the previous page.' })),
  }),
  responses: {
    200: page('The library.'),
    ...pageErrors({
      404: 'There is no such library.',
      410: 'The library has expired or was revoked. Its page can mail a new link.',
      ...failures,
    }),
  },
};

const leaveLibraryDocs: OperationDocs = {
  ...shared,
  operationId: 'leaveLibrary',
  summary: 'Sign out of a library',
  description: 'Removes the cookie of this device. The link in the mail goes on working.',
  responses: { 303: { description: 'Done: `Location` is `/my`.' } },
};

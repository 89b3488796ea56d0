import type { FastifyPluginAsync } from 'fastify';
import type { HttpOptions } from '../http-ports.ts';
import { buildDocument, type DocumentedRoute } from '../openapi/build-document.ts';
import { sendPage } from '../pages/answer-page.ts';
import { openApiDocs, referencePageDocs } from './reference-docs.ts';
import { referencePage } from './reference-page.ts';

/** What the API is, for programs and for people. `routes` may still grow until the app is ready. */
export function referenceRoutes(
  routes: readonly DocumentedRoute[],
  { siteUrl, version }: Pick<HttpOptions, 'siteUrl' | 'version'>,
): FastifyPluginAsync {
  return async (app) => {
    let json = '';
    let page = '';
    app.addHook('onReady', async () => {
      const document = buildDocument(routes, { siteUrl, version });
      json = JSON.stringify(document);
      page = referencePage(document);
    });

    app.get('/openapi.json', { config: { docs: openApiDocs } }, async (_request, reply) =>
      reply
        .headers({
          'content-type': 'application/json; charset=utf-8',
          'cache-control': 'no-cache',
          'x-content-type-options': 'nosniff',
          // It holds no secret, and viewers on other sites may want to show it.
          'access-control-allow-origin': '*',
        })
        .send(json),
    );

    app.get('/docs', { config: { docs: referencePageDocs } }, async (_request, reply) =>
      sendPage(reply, 200, page),
    );
  };
}

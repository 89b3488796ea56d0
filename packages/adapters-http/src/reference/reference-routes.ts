import type { Html } from '@handover/html';
import type { FastifyPluginAsync } from 'fastify';
import type { HttpOptions } from '../http-ports.ts';
import { buildDocument, type DocumentedRoute } from '../openapi/build-document.ts';
import { sendPage } from '../pages/answer-page.ts';
import { openApiDocs, referencePageDocs } from './reference-docs.ts';
import { referencePage } from './reference-page.ts';

/** What the API is, for programs and for people. `routes` may still grow until the app listens. */
export function referenceRoutes(
  routes: readonly DocumentedRoute[],
  { siteUrl, version }: Pick<HttpOptions, 'siteUrl' | 'version'>,
): FastifyPluginAsync {
  return async (app) => {
    // For the first who asks: most processes end before anyone has.
    let reference: { readonly json: string; readonly page: Html } | null = null;
    const readReference = () => {
      reference ??= describe(routes, { siteUrl, version });
      return reference;
    };

    app.get('/openapi.json', { config: { docs: openApiDocs } }, async (_request, reply) =>
      reply
        .headers({
          'content-type': 'application/json; charset=utf-8',
          'cache-control': 'no-cache',
          'x-content-type-options': 'nosniff',
          // It holds no secret, and viewers on other sites may want to show it.
          'access-control-allow-origin': '*',
        })
        .send(readReference().json),
    );

    app.get('/docs', { config: { docs: referencePageDocs } }, async (_request, reply) =>
      sendPage(reply, 200, readReference().page),
    );
  };
}

function describe(routes: readonly DocumentedRoute[], site: Pick<HttpOptions, 'siteUrl' | 'version'>) {
  const document = buildDocument(routes, site);
  return { json: JSON.stringify(document), page: referencePage(document) };
}

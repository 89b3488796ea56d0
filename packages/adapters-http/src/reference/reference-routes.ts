import type { Html } from '@handover/html';
import type { FastifyPluginAsync } from 'fastify';
import type { OpenApiDocument } from '../openapi/document.ts';
import { documented } from '../openapi/documented.ts';
import { sendPage } from '../pages/answer-page.ts';
import { openApiDocs, referencePageDocs } from './reference-docs.ts';
import { referencePage } from './reference-page.ts';

/** What the API is, for programs and for people. */
export function referenceRoutes(): FastifyPluginAsync {
  return async (app) => {
    // For the first who asks: most processes end before anyone has.
    let reference: { readonly json: string; readonly page: Html } | null = null;
    const readReference = () => {
      reference ??= describe(JSON.stringify(app.swagger()));
      return reference;
    };

    app.get('/openapi.json', { schema: documented(openApiDocs) }, async (_request, reply) =>
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

    app.get('/docs', { schema: documented(referencePageDocs) }, async (_request, reply) =>
      sendPage(reply, 200, readReference().page),
    );
  };
}

function describe(json: string) {
  const document: OpenApiDocument = JSON.parse(json);
  return { json, page: referencePage(document) };
}

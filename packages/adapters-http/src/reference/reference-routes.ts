import type { Html } from '@handover/html';
import type { FastifyPluginAsync } from 'fastify';
import { Type } from 'typebox';
import type { OpenApiDocument } from '../openapi/document.ts';
import { documented } from '../openapi/documented.ts';
import type { OperationDocs } from '../openapi/operation-docs.ts';
import { json, page } from '../openapi/responses.ts';
import { sendPage } from '../pages/answer-page.ts';
import { referencePage } from './reference-page.ts';

/** The API documentation, for programs and for people. */
export function referenceRoutes(): FastifyPluginAsync {
  return async (app) => {
    // Built for the first request: most processes never get one.
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
          // The document contains no secret, and viewers on other sites may fetch it.
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

const shared = { tag: 'Operations', origin: 'addition', access: 'open' } as const;

const openApiDocs: OperationDocs = {
  ...shared,
  operationId: 'readOpenApi',
  summary: 'This reference, for programs',
  description:
    'OpenAPI 3.1, generated from the schemas that validate requests. Use it with your client generator.',
  responses: {
    200: json('The document.', Type.Object({}, { description: 'An OpenAPI 3.1 document.' })),
  },
};

const referencePageDocs: OperationDocs = {
  ...shared,
  operationId: 'readReference',
  summary: 'This reference, for people',
  description: 'The page that you read. It comes from this server alone and needs no script.',
  responses: { 200: page('The page.') },
};

import { TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox';
import type { FastifyPluginAsync } from 'fastify';
import type { HttpPorts } from '../http-ports.ts';
import { answerJsonFailure, answerNoEndpoint } from '../requests/answer-json.ts';
import { explainValidation } from './explain-validation.ts';
import { productRoutes } from './product-routes.ts';
import { purchaseRoutes } from './purchase-routes.ts';
import { versionFileRoutes } from './version-file-routes.ts';
import { versionRoutes } from './version-routes.ts';

/** The API under /api: JSON in and out, an API key on every route. */
export function apiRoutes(ports: HttpPorts): FastifyPluginAsync {
  return async (app) => {
    app.setErrorHandler(answerJsonFailure);
    app.setNotFoundHandler(answerNoEndpoint);
    app.setValidatorCompiler(TypeBoxValidatorCompiler);
    app.setSchemaErrorFormatter((errors) => new Error(explainValidation(errors)));
    // What it holds belongs to one organisation, so nothing on the way may keep it.
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store');
    });

    // Members such as __proto__ are left out, like any other that we do not know.
    const parseJson = app.getDefaultJsonParser('remove', 'remove');
    app.register(async (json) => {
      json.addContentTypeParser('application/json', { parseAs: 'string' }, parseJson);
      json.register(productRoutes(ports));
      json.register(versionRoutes(ports));
      json.register(purchaseRoutes(ports));
    });
    app.register(versionFileRoutes(ports));
  };
}

import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import type { FastifyPluginAsync, FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { callerOf, requireAccessStill } from '../auth/caller.ts';
import type { HttpOptions, HttpPorts } from '../http-ports.ts';
import { createReaderOfAll } from '../read-orders.ts';
import { registerRoutes } from '../register-routes.ts';
import { answerFailure, answerNothingHere, refuseAsJson } from '../requests/answer-error.ts';
import { NotUtf8Error } from '../requests/classify-failure.ts';
import { EncodedBodyError, isEncoded } from '../requests/content-encoding.ts';
import type { FileLimits } from '../requests/receive-file.ts';
import { breakOffWithAccess } from '../streaming/break-off-with-access.ts';
import { uploadRoutes } from '../uploads/upload-routes.ts';
import { deliveryRoutes, redeliverRoutes } from './delivery-routes.ts';
import { downloadRoutes } from './download-routes.ts';
import { explainValidation } from './explain-validation.ts';
import { productRoutes } from './product-routes.ts';
import { purchaseFormRoutes } from './purchase-form-routes.ts';
import { purchaseRoutes } from './purchase-routes.ts';
import { reportRoutes } from './report-routes.ts';
import { skuMappingRoutes } from './sku-mapping-routes.ts';
import { versionFileRoutes } from './version-file-routes.ts';

/** The API under /api: JSON in and out, an API key on every route. */
export function apiRoutes(
  ports: HttpPorts,
  options: Pick<HttpOptions, 'platforms' | 'sharedPlatform' | 'siteUrl'>,
  limits: FileLimits,
): FastifyPluginAsync {
  return async (app) => {
    app.setErrorHandler(answerFailure(refuseAsJson));
    app.setNotFoundHandler(answerNothingHere(refuseAsJson));
    app.setValidatorCompiler(compileValidator);
    app.setSchemaErrorFormatter((errors) => new Error(explainValidation(errors)));
    // Responses belong to one organisation, so caches must not store them.
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store');
    });

    app.addHook('preHandler', requireAccessStill);
    app.addHook('onSend', async (request, _reply, payload) => {
      if (payload instanceof Readable) breakOffWithAccess(payload, callerOf(request).isStillAllowed);
      return payload;
    });

    // Members such as __proto__ are removed, like any other unknown member.
    const parseJson = app.getDefaultJsonParser('remove', 'remove');
    registerRoutes(app, 'api-json', async (json) => {
      json.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
        if (isEncoded(request.headers)) return done(new EncodedBodyError());
        // JSON is UTF-8 (RFC 8259); other bytes would be stored as question marks.
        if (!isUtf8(body)) return done(new NotUtf8Error());
        return parseJson(request, body.toString(), done);
      });
      registerRoutes(json, 'api-products', productRoutes(ports));
      registerRoutes(json, 'api-purchases', purchaseRoutes(ports));
      registerRoutes(json, 'api-deliveries', deliveryRoutes(ports));
      registerRoutes(json, 'api-sku-mappings', skuMappingRoutes(ports));
    });
    registerRoutes(app, 'api-version-files', versionFileRoutes(ports, limits));
    registerRoutes(app, 'api-uploads', uploadRoutes(ports, options, limits));
    registerRoutes(app, 'api-downloads', downloadRoutes(ports));
    registerRoutes(app, 'api-redeliver', redeliverRoutes(ports, createReaderOfAll(options)));
    registerRoutes(app, 'api-purchase-form', purchaseFormRoutes(ports));
    registerRoutes(app, 'api-reports', reportRoutes(ports), { prefix: '/reports' });
  };
}

/**
 * Validates with TypeBox, compiled with the first request. In queries, where every value is text, plain digits count as an
 * integer where the schema has one. Nothing else is converted: the type provider's own conversion reads "true" as 1 and
 * "5.5" as 5.
 */
const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  let compiled: ReturnType<typeof Compile> | null = null;
  const wholeNumbers = httpPart === 'querystring' ? listWholeNumbers(schema) : new Set<string>();
  return (given: unknown) => {
    compiled ??= Compile(schema);
    const value = wholeNumbers.size > 0 ? readWholeNumbers(given, wholeNumbers) : given;
    return compiled.Check(value) ? { value } : { error: compiled.Errors(value) };
  };
};

function listWholeNumbers(schema: TSchema): ReadonlySet<string> {
  const { properties = {} } = schema as { readonly properties?: Record<string, { readonly type?: string }> };
  const found = Object.entries(properties).filter(([, { type }]) => type === 'integer');
  return new Set(found.map(([name]) => name));
}

function readWholeNumbers(query: unknown, names: ReadonlySet<string>): unknown {
  const entries = Object.entries(query as Record<string, unknown>);
  return Object.fromEntries(
    entries.map(([name, text]) => [name, names.has(name) ? readDigits(text) : text] as const),
  );
}

function readDigits(text: unknown): unknown {
  return typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : text;
}

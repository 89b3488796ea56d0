import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { MapSkuResult, SkuMapping } from '@handover/domain';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import type { Static } from 'typebox';
import { mapSkuWithEntry, unmapSkuWithEntry } from '../actions/sku-actions.ts';
import { type CallerPorts, callerOf, requireCaller } from '../auth/caller.ts';
import type { HttpPorts } from '../http-ports.ts';
import { documented } from '../openapi/documented.ts';
import { findLabelProblem } from '../openapi/platform-label.ts';
import { registerRoutes } from '../register-routes.ts';
import { refuseAsJson } from '../requests/answer-error.ts';
import { leaveBodiesUnread } from '../requests/request-bodies.ts';
import { sendJsonArray } from '../streaming/json-array.ts';
import {
  deleteSkuMappingDocs,
  listSkuMappingsDocs,
  putSkuMappingDocs,
  type SkuMappingBody,
  SkuMappingChangeBody,
  SkuMappingQuery,
  SkuParams,
} from './sku-mapping-docs.ts';

type Ports = CallerPorts & Pick<HttpPorts, 'ids' | 'inTransaction' | 'platforms' | 'skuMappings'>;

/** Maps SKUs to products. */
export function skuMappingRoutes(ports: Ports): FastifyPluginAsync {
  const onRequest = requireCaller(ports, 'admin');
  return async (instance) => {
    const app = instance.withTypeProvider<TypeBoxTypeProvider>();

    const listOptions = { onRequest, exposeHeadRoute: false, schema: documented(listSkuMappingsDocs) };
    app.get('/sku-mappings', listOptions, async (request, reply) =>
      sendJsonArray(reply, ports.skuMappings.list(callerOf(request).orgId), presentMapping),
    );

    app.put(
      '/sku-mappings/:sku',
      {
        onRequest,
        schema: documented(putSkuMappingDocs, { params: SkuParams, body: SkuMappingChangeBody }),
      },
      async (request, reply) => {
        const { productId, platform = null } = request.body;
        const unknown = findLabelProblem(ports.platforms, platform, ['null']);
        if (unknown) return refuseAsJson(reply, 400, unknown);
        const mapping = { sku: request.params.sku, platform, productId };
        return answerMapped(reply, await mapSkuWithEntry(ports, callerOf(request), mapping));
      },
    );

    // These routes take no body, so none is read and none can be invalid.
    registerRoutes(app, 'api-sku-mappings-bodiless', async (bodiless) => {
      bodiless.removeAllContentTypeParsers();
      leaveBodiesUnread(bodiless);
      bodiless.withTypeProvider<TypeBoxTypeProvider>().delete(
        '/sku-mappings/:sku',
        {
          onRequest,
          schema: documented(deleteSkuMappingDocs, { params: SkuParams, querystring: SkuMappingQuery }),
        },
        async (request, reply) => {
          const { platform = null } = request.query;
          const unknown = findLabelProblem(ports.platforms, platform);
          if (unknown) return refuseAsJson(reply, 400, unknown);
          const mapping = { sku: request.params.sku, platform };
          const outcome = await unmapSkuWithEntry(ports, callerOf(request), mapping);
          if (outcome === 'unmapped') return reply.code(204).send();
          return refuseAsJson(reply, 404, explainUnknown(platform));
        },
      );
    });
  };
}

function answerMapped(reply: FastifyReply, result: MapSkuResult): FastifyReply {
  switch (result.kind) {
    case 'mapped':
      return reply.send(presentMapping(result.mapping));
    case 'invalid':
      return refuseAsJson(reply, 400, `“${result.field}” ${result.problem}.`);
    case 'unknown-product':
      return refuseAsJson(reply, 404, 'There is no such product. Use its id, not its slug.');
    case 'unknown-organisation':
      return refuseAsJson(reply, 404, 'The organisation of this API key is gone.');
  }
}

function explainUnknown(platform: string | null): string {
  return platform === null
    ? 'This SKU has no mapping for all platforms. To remove one for a platform, name it in “platform”.'
    : `This SKU has no mapping for ${platform}. To remove one for all platforms, leave “platform” out.`;
}

function presentMapping({ sku, platform, productId }: SkuMapping): Static<typeof SkuMappingBody> {
  return { sku, platform, productId };
}

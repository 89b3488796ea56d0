import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { MapSkuResult, Platform, SkuMapping } from '@handover/domain';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import { mapSkuWithEntry, unmapSkuWithEntry } from '../actions/sku-actions.ts';
import { type CallerPorts, callerOf, requireCaller } from '../auth/caller.ts';
import type { HttpPorts } from '../http-ports.ts';
import { documented } from '../openapi/documented.ts';
import { EXAMPLE_IDS, nullableUuid, text } from '../openapi/fields.ts';
import type { OperationDocs } from '../openapi/operation-docs.ts';
import { findLabelProblem, platformLabel } from '../openapi/platform-label.ts';
import { bodyRefusals, json, refusals } from '../openapi/responses.ts';
import { registerRoutes } from '../register-routes.ts';
import { refuseAsJson } from '../requests/answer-error.ts';
import { leaveBodiesUnread } from '../requests/request-bodies.ts';
import { READS, sendJsonArray } from '../streaming/json-array.ts';
import { UNKNOWN_PRODUCT } from './refusal-sentences.ts';

type Ports = CallerPorts & Pick<HttpPorts, 'ids' | 'inTransaction' | 'platforms' | 'skuMappings'>;

/** Maps SKUs to products. */
export function skuMappingRoutes(ports: Ports): FastifyPluginAsync {
  const onRequest = requireCaller(ports);
  return async (instance) => {
    const app = instance.withTypeProvider<TypeBoxTypeProvider>();

    app.route({
      method: READS,
      url: '/sku-mappings',
      onRequest,
      schema: documented(listSkuMappingsDocs),
      handler: async (request, reply) =>
        sendJsonArray(reply, ports.skuMappings.list(callerOf(request).orgId), presentMapping),
    });

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
      return refuseAsJson(reply, 404, UNKNOWN_PRODUCT.sentence);
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

const SkuMappingBody = Type.Object(
  {
    sku: text('Trimmed and in lower case: mappings compare SKUs without regard to case.', 'pad-1'),
    platform: Type.Unsafe<Platform | null>({
      ...platformLabel({
        description:
          'The platform that it applies to; `null` for all. A mapping for one platform has precedence.',
      }),
      type: ['string', 'null'],
    }),
    productId: nullableUuid(
      'The product it delivers; `null`: the SKU is ignored, neither flagged nor alerted.',
      EXAMPLE_IDS.product,
    ),
  },
  { $id: 'SkuMapping', description: 'Which product a SKU, or a vendor’s id, delivers.' },
);

const SkuParams = Type.Object({
  sku: text(
    'The SKU or vendor’s id, percent-encoded: `A/B` is `A%2FB`. 1 to 200 characters; case and blanks around it do not matter.',
    'PAD-1',
  ),
});

const SkuMappingChangeBody = Type.Object(
  {
    productId: Type.Union([Type.String(), Type.Null()], {
      description: 'A product of your organisation. `null`: the SKU is ignored, neither flagged nor alerted.',
    }),
    platform: Type.Optional(
      Type.Union([platformLabel({ description: 'A platform.' }), Type.Null()], {
        description:
          'Only for this platform; left out or `null`: for all. Vendors’ ids need one, because product 93 of one shop is not product 93 of another.',
      }),
    ),
  },
  {
    description: 'The mapping of the SKU.',
    examples: [{ productId: EXAMPLE_IDS.product, platform: 'storefront-a' }],
  },
);

const SkuMappingQuery = Type.Object({
  platform: Type.Optional(
    platformLabel({
      description: 'The platform whose mapping is removed. Without it: the mapping for all platforms.',
    }),
  ),
});

const shared = { tag: 'SKU mappings', origin: 'addition', access: 'owner or admin' } as const;

const listSkuMappingsDocs: OperationDocs = {
  ...shared,
  operationId: 'listSkuMappings',
  scope: 'sku-mappings:read',
  summary: 'List mappings',
  description: 'Every mapping of your organisation, by SKU, as one streamed array.',
  responses: {
    200: json(
      'The mappings. An empty array is a valid result.',
      Type.Array(SkuMappingBody, { description: 'By SKU; of one SKU, the one for all platforms first.' }),
    ),
    ...refusals(),
  },
};

const putSkuMappingDocs: OperationDocs = {
  ...shared,
  operationId: 'putSkuMapping',
  scope: 'sku-mappings:write',
  summary: 'Map a SKU',
  description:
    'Maps a SKU to a product, on every platform or on one, and replaces the mapping before. Orders that waited for it are processed again.',
  responses: {
    200: json('The mapping as it is now.', SkuMappingBody),
    ...bodyRefusals({
      400: 'The SKU or a member cannot be used. The sentence names it.',
      404: UNKNOWN_PRODUCT.docs,
    }),
  },
};

const deleteSkuMappingDocs: OperationDocs = {
  ...shared,
  operationId: 'deleteSkuMapping',
  scope: 'sku-mappings:write',
  summary: 'Remove a mapping',
  description: 'Removes a mapping. What it delivered stays delivered.',
  responses: {
    204: { description: 'The mapping is removed.' },
    ...refusals({
      400: '`platform` is unknown.',
      404: 'There is no mapping of this SKU for this platform (or, without one, for all platforms).',
    }),
  },
};

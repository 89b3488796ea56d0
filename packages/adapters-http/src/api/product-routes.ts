import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { CreateProductResult, CreateVersionResult, UpdateProductResult } from '@handover/domain';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import {
  createProductWithEntry,
  createVersionWithEntry,
  updateProductWithEntry,
} from '../actions/product-actions.ts';
import { type CallerPorts, callerOf, requireCaller } from '../auth/caller.ts';
import type { HttpPorts } from '../http-ports.ts';
import { documented } from '../openapi/documented.ts';
import { EXAMPLE_IDS } from '../openapi/fields.ts';
import type { OperationDocs } from '../openapi/operation-docs.ts';
import { bodyRefusals, json, refusals } from '../openapi/responses.ts';
import { refuseAsJson } from '../requests/answer-error.ts';
import { READS, sendJsonArray } from '../streaming/json-array.ts';
import { presentProduct, presentProductRow, presentVersion } from './present-product.ts';
import {
  NewProductBody,
  NewVersionBody,
  ProductBody,
  ProductChangeBody,
  ProductParams,
  ProductRowBody,
  VersionBody,
} from './product-schemas.ts';
import { UNKNOWN_PRODUCT } from './refusal-sentences.ts';

type Ports = CallerPorts & Pick<HttpPorts, 'ids' | 'inTransaction' | 'products'>;

/** Products and their versions, as JSON. */
export function productRoutes(ports: Ports): FastifyPluginAsync {
  const onRequest = requireCaller(ports);
  return async (instance) => {
    const app = instance.withTypeProvider<TypeBoxTypeProvider>();

    app.route({
      method: READS,
      url: '/products',
      onRequest,
      schema: documented(listProductsDocs),
      handler: async (request, reply) =>
        sendJsonArray(reply, ports.products.list(callerOf(request).orgId), presentProductRow),
    });

    const createOptions = {
      onRequest,
      schema: documented(createProductDocs, { body: NewProductBody }),
    };
    app.post('/products', createOptions, async (request, reply) => {
      const result = await createProductWithEntry(ports, callerOf(request), request.body);
      return answer(reply, result);
    });

    const changeSchema = documented(updateProductDocs, { params: ProductParams, body: ProductChangeBody });
    const changeOptions = { onRequest, schema: changeSchema };
    app.put('/products/:productId', changeOptions, async (request, reply) => {
      const { name, slug, description, status, activeVersionId } = request.body;
      const change = { name, slug, description, status, activeVersionId };
      const result = await updateProductWithEntry(ports, callerOf(request), request.params.productId, change);
      return answer(reply, result);
    });

    const versionSchema = documented(createVersionDocs, { params: ProductParams, body: NewVersionBody });
    const versionOptions = { onRequest, schema: versionSchema };
    app.post('/products/:productId/versions', versionOptions, async (request, reply) => {
      const { params, body } = request;
      const result = await createVersionWithEntry(ports, callerOf(request), params.productId, body.version);
      return answer(reply, result);
    });
  };
}

function answer(
  reply: FastifyReply,
  result: CreateProductResult | UpdateProductResult | CreateVersionResult,
): FastifyReply {
  switch (result.kind) {
    case 'created':
      return reply
        .code(201)
        .send('product' in result ? presentProduct(result.product) : presentVersion(result.version));
    case 'updated':
      return reply.send(presentProduct(result.product));
    case 'invalid':
      return refuseAsJson(reply, 400, `“${result.field}” ${result.problem}.`);
    case 'unknown-product':
      return refuseAsJson(reply, 404, UNKNOWN_PRODUCT.sentence);
    case 'slug-taken':
      return refuseAsJson(reply, 409, `Another product has the slug “${result.slug}”. Choose another slug.`);
    case 'label-taken':
      return refuseAsJson(
        reply,
        409,
        `This product has a version “${result.label}” already. Choose another label.`,
      );
  }
}

const product = { tag: 'Products', origin: 'specification', access: 'any role' } as const;
const version = { tag: 'Versions and files', origin: 'addition', access: 'any role' } as const;

const listProductsDocs: OperationDocs = {
  ...product,
  operationId: 'listProducts',
  scope: 'products:read',
  summary: 'List products',
  description:
    'Every product of your organisation, newest first. It also tests a key: the answer is an array if the key is accepted, else 401.',
  responses: {
    200: json(
      'The products. An empty array is a valid result.',
      Type.Array(ProductRowBody, { description: 'Newest first.' }),
    ),
    ...refusals(),
  },
};

const createProductDocs: OperationDocs = {
  ...product,
  operationId: 'createProduct',
  scope: 'products:write',
  summary: 'Create a product',
  description: 'Makes a product in status `draft`.',
  responses: {
    201: {
      ...json('The whole row of the new product.', ProductBody),
      example: {
        id: EXAMPLE_IDS.product,
        orgId: EXAMPLE_IDS.organisation,
        name: 'Felt Piano',
        slug: 'felt-piano',
        description: 'Eleven soft pianos.',
        status: 'draft',
        activeVersionId: null,
        createdAt: '2026-03-02T09:00:00.000Z',
        updatedAt: '2026-03-02T09:00:00.000Z',
      },
    },
    ...bodyRefusals({
      400: '`name` or `slug` is missing, or a member cannot be used. The sentence names it.',
      409: 'Another product of your organisation has this slug.',
    }),
  },
};

const updateProductDocs: OperationDocs = {
  ...product,
  operationId: 'updateProduct',
  scope: 'products:write',
  summary: 'Update a product',
  description:
    'Merges the body into the product. Publishing a product that has a live version lets the orders for it be delivered.',
  responses: {
    200: json('The whole row as it is now.', ProductBody),
    ...bodyRefusals({
      400: 'A member cannot be used. The sentence names it.',
      404: UNKNOWN_PRODUCT.docs,
      409: 'Another product of your organisation has this slug.',
    }),
  },
};

const createVersionDocs: OperationDocs = {
  ...version,
  operationId: 'createVersion',
  scope: 'products:write',
  summary: 'Create a version',
  description:
    'Creates a version of a product, to which files can be added. Nothing changes for buyers until it is activated.',
  responses: {
    201: {
      ...json('The new version.', VersionBody),
      example: {
        id: EXAMPLE_IDS.version,
        productId: EXAMPLE_IDS.product,
        version: '2.1.0',
        status: 'preparing',
        createdAt: '2026-03-02T09:05:00.000Z',
      },
    },
    ...bodyRefusals({
      400: '`version` is missing or not a valid label. The sentence says what a label is.',
      404: UNKNOWN_PRODUCT.docs,
      409: 'This product already has a version with that label.',
    }),
  },
};

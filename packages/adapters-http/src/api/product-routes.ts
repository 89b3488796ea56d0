import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { CreateProductResult, UpdateProductResult } from '@handover/domain';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { createProductWithEntry, updateProductWithEntry } from '../actions/product-actions.ts';
import { type CallerPorts, callerOf, requireCaller } from '../auth/caller.ts';
import type { HttpPorts } from '../http-ports.ts';
import { documented } from '../openapi/documented.ts';
import { refuseAsJson } from '../requests/answer-error.ts';
import { sendJsonArray } from '../streaming/json-array.ts';
import { presentProduct, presentProductRow } from './present-product.ts';
import { createProductDocs, listProductsDocs, updateProductDocs } from './product-docs.ts';
import { NewProductBody, ProductChangeBody, ProductParams } from './product-schemas.ts';

type Ports = CallerPorts & Pick<HttpPorts, 'ids' | 'inTransaction' | 'products'>;

export function productRoutes(ports: Ports): FastifyPluginAsync {
  const onRequest = requireCaller(ports, 'member');
  return async (instance) => {
    const app = instance.withTypeProvider<TypeBoxTypeProvider>();

    const listOptions = { onRequest, exposeHeadRoute: false, schema: documented(listProductsDocs) };
    app.get('/products', listOptions, async (request, reply) =>
      sendJsonArray(reply, ports.products.list(callerOf(request).orgId), presentProductRow),
    );

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
  };
}

function answer(reply: FastifyReply, result: CreateProductResult | UpdateProductResult): FastifyReply {
  switch (result.kind) {
    case 'created':
      return reply.code(201).send(presentProduct(result.product));
    case 'updated':
      return reply.send(presentProduct(result.product));
    case 'invalid':
      return refuseAsJson(reply, 400, `“${result.field}” ${result.problem}.`);
    case 'unknown-product':
      return refuseAsJson(reply, 404, 'There is no such product. Use its id, not its slug.');
    case 'slug-taken':
      return refuseAsJson(reply, 409, `Another product has the slug “${result.slug}”. Choose another slug.`);
  }
}

import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { CreateProductResult } from '@handover/domain';
import { createProduct, PRODUCT_STATUSES, type UpdateProductResult, updateProduct } from '@handover/domain';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { HttpPorts } from '../http-ports.ts';
import { refuse } from '../requests/answer-json.ts';
import { sendJsonArray } from '../streaming/json-array.ts';
import { callerOf, requireCaller } from './caller.ts';
import { presentProduct, presentProductRow } from './present-product.ts';

const NewProductBody = Type.Object({
  name: Type.String(),
  slug: Type.String(),
  description: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

/** Whatever else the body holds, such as the read-only members of a row that was read before, is ignored. */
const ProductChangeBody = Type.Object({
  name: Type.Optional(Type.String()),
  slug: Type.Optional(Type.String()),
  description: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  status: Type.Optional(Type.Enum([...PRODUCT_STATUSES])),
  activeVersionId: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

// An id of any other shape is as unknown as one that was never given: 404, not 400.
const ProductParams = Type.Object({ productId: Type.String() });

export function productRoutes(ports: HttpPorts): FastifyPluginAsync {
  const onRequest = requireCaller(ports, 'member');
  return async (instance) => {
    const app = instance.withTypeProvider<TypeBoxTypeProvider>();

    app.get('/products', { onRequest, exposeHeadRoute: false }, async (request, reply) =>
      sendJsonArray(reply, ports.products.list(callerOf(request).orgId), presentProductRow),
    );

    app.post('/products', { onRequest, schema: { body: NewProductBody } }, async (request, reply) => {
      const result = await createProduct(ports, callerOf(request).orgId, request.body);
      return answer(reply, result);
    });

    const changeSchema = { params: ProductParams, body: ProductChangeBody };
    app.put('/products/:productId', { onRequest, schema: changeSchema }, async (request, reply) => {
      const { name, slug, description, status, activeVersionId } = request.body;
      const change = { name, slug, description, status, activeVersionId };
      const result = await updateProduct(ports, callerOf(request).orgId, request.params.productId, change);
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
      return refuse(reply, 400, `“${result.field}” ${result.problem}.`);
    case 'unknown-product':
      return refuse(reply, 404, 'There is no such product. Use its id, not its slug.');
    case 'slug-taken':
      return refuse(reply, 409, `Another product has the slug “${result.slug}”. Choose another slug.`);
  }
}

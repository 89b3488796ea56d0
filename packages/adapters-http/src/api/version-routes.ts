import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { CreateVersionResult } from '@handover/domain';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { createVersionWithEntry } from '../actions/product-actions.ts';
import { type CallerPorts, callerOf, requireCaller } from '../auth/caller.ts';
import type { HttpPorts } from '../http-ports.ts';
import { documented } from '../openapi/documented.ts';
import { refuseAsJson } from '../requests/answer-error.ts';
import { presentVersion } from './present-product.ts';
import { createVersionDocs } from './product-docs.ts';
import { NewVersionBody, ProductParams } from './product-schemas.ts';

type Ports = CallerPorts & Pick<HttpPorts, 'ids' | 'inTransaction'>;

export function versionRoutes(ports: Ports): FastifyPluginAsync {
  const onRequest = requireCaller(ports, 'member');
  return async (instance) => {
    const app = instance.withTypeProvider<TypeBoxTypeProvider>();

    const schema = documented(createVersionDocs, { params: ProductParams, body: NewVersionBody });
    const options = { onRequest, schema };
    app.post('/products/:productId/versions', options, async (request, reply) => {
      const { params, body } = request;
      const result = await createVersionWithEntry(ports, callerOf(request), params.productId, body.version);
      return answer(reply, result);
    });
  };
}

function answer(reply: FastifyReply, result: CreateVersionResult): FastifyReply {
  switch (result.kind) {
    case 'created':
      return reply.code(201).send(presentVersion(result.version));
    case 'invalid':
      return refuseAsJson(reply, 400, `“${result.field}” ${result.problem}.`);
    case 'unknown-product':
      return refuseAsJson(reply, 404, 'There is no such product. Use its id, not its slug.');
    case 'label-taken':
      return refuseAsJson(
        reply,
        409,
        `This product has a version “${result.label}” already. Choose another label.`,
      );
  }
}

import { writeAmount } from '@handover/domain';
import type { FastifyPluginAsync } from 'fastify';
import { type CallerPorts, callerOf, requireCaller } from '../auth/caller.ts';
import type { HttpPorts } from '../http-ports.ts';
import { documented } from '../openapi/documented.ts';
import { sendJsonTexts } from '../streaming/json-array.ts';
import { listPurchasesDocs } from './purchase-list-docs.ts';

type Ports = CallerPorts & Pick<HttpPorts, 'purchases' | 'tokens'>;

export function purchaseRoutes(ports: Ports): FastifyPluginAsync {
  const onRequest = requireCaller(ports, 'admin');
  return async (app) => {
    const options = { onRequest, exposeHeadRoute: false, schema: documented(listPurchasesDocs) };
    app.get('/purchases', options, async (request, reply) => {
      const { orgId } = callerOf(request);
      const downloadUrl = (linkId: string) => ports.tokens.url(orgId, linkId);
      return sendJsonTexts(reply, ports.purchases.listAsJson(orgId, { amount: writeAmount, downloadUrl }));
    });
  };
}

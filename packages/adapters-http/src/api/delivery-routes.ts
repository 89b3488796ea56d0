import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { DeliveryListRow } from '@handover/domain';
import type { FastifyPluginAsync } from 'fastify';
import type { Static } from 'typebox';
import type { HttpPorts } from '../http-ports.ts';
import { refuse } from '../requests/answer-json.ts';
import { callerOf, requireCaller } from './caller.ts';
import {
  type DeliveryBody,
  DeliveryParams,
  DeliveryQueryString,
  listDeliveriesDocs,
  readDeliveryDocs,
} from './delivery-docs.ts';

const DEFAULT_LIMIT = 50;

/** The webhook log, for programs. */
export function deliveryRoutes(ports: HttpPorts): FastifyPluginAsync {
  const onRequest = requireCaller(ports, 'admin');
  return async (instance) => {
    const app = instance.withTypeProvider<TypeBoxTypeProvider>();

    app.get(
      '/deliveries',
      {
        onRequest,
        exposeHeadRoute: false,
        schema: { querystring: DeliveryQueryString },
        config: { docs: listDeliveriesDocs },
      },
      async (request) => {
        const { status = null, platform = null, before = null, limit = DEFAULT_LIMIT } = request.query;
        const page = { status, platform, before, limit };
        const rows = await ports.deliveries.list(callerOf(request).orgId, page);
        return rows.map(presentDelivery);
      },
    );

    app.get(
      '/deliveries/:deliveryId',
      {
        onRequest,
        exposeHeadRoute: false,
        schema: { params: DeliveryParams },
        config: { docs: readDeliveryDocs },
      },
      async (request, reply) => {
        const row = await ports.deliveries.show(callerOf(request).orgId, request.params.deliveryId);
        return row ? presentDelivery(row) : refuse(reply, 404, 'The webhook log has no entry of this id.');
      },
    );
  };
}

function presentDelivery(row: DeliveryListRow): Static<typeof DeliveryBody> {
  const unmatched = row.lines.filter(({ outcome }) => outcome === 'unmatched');
  return {
    id: row.id,
    platform: row.platform,
    orderId: row.orderId,
    receivedAt: row.receivedAt.toISOString(),
    status: row.status,
    reason: row.reason,
    note: row.note,
    skus: row.lines.map(({ sku, outcome, reason }) => ({ sku, outcome, reason })),
    unmatchedSkus: [...new Set(unmatched.map(({ sku }) => sku))],
  };
}

import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { DeliveryListRow, DeliveryQuery, OrderReader } from '@handover/domain';
import type { FastifyPluginAsync } from 'fastify';
import type { Static } from 'typebox';
import { redeliverWithEntry } from '../actions/redeliver-with-entry.ts';
import { type CallerPorts, callerOf, requireCaller } from '../auth/caller.ts';
import type { HttpPorts } from '../http-ports.ts';
import { documented } from '../openapi/documented.ts';
import { findLabelProblem } from '../openapi/platform-label.ts';
import { refuseAsJson } from '../requests/answer-error.ts';
import { leaveBodiesUnread } from '../requests/request-bodies.ts';
import { everyRow } from '../streaming/every-row.ts';
import { sendJsonArray } from '../streaming/json-array.ts';
import {
  type DeliveryBody,
  DeliveryParams,
  DeliveryQueryString,
  listDeliveriesDocs,
  readDeliveryDocs,
  redeliverDocs,
} from './delivery-docs.ts';

type Ports = CallerPorts & Pick<HttpPorts, 'deliveries' | 'ids' | 'inTransaction' | 'platforms'>;

const UNKNOWN = 'The webhook log has no entry of this id.';
const BODY_REMOVED =
  'The stored body of this delivery was removed because of its age, so it cannot be run again. Record the sale instead.';

/** The webhook log as JSON. */
export function deliveryRoutes(ports: Ports): FastifyPluginAsync {
  const onRequest = requireCaller(ports, 'admin');
  return async (instance) => {
    const app = instance.withTypeProvider<TypeBoxTypeProvider>();

    app.get(
      '/deliveries',
      {
        onRequest,
        exposeHeadRoute: false,
        schema: documented(listDeliveriesDocs, { querystring: DeliveryQueryString }),
      },
      async (request, reply) => {
        const { status = null, platform = null, before = null, limit } = request.query;
        const unknown = findLabelProblem(ports.platforms, platform);
        if (unknown) return refuseAsJson(reply, 400, unknown);
        const { orgId } = callerOf(request);
        const fetchPage = (page: Pick<DeliveryQuery, 'before' | 'limit'>) =>
          ports.deliveries.list(orgId, { status, platform, ...page });
        if (limit === undefined) return sendJsonArray(reply, everyRow(fetchPage, before), presentDelivery);
        return (await fetchPage({ before, limit })).map(presentDelivery);
      },
    );

    app.get(
      '/deliveries/:deliveryId',
      {
        onRequest,
        exposeHeadRoute: false,
        schema: documented(readDeliveryDocs, { params: DeliveryParams }),
      },
      async (request, reply) => {
        const row = await ports.deliveries.show(callerOf(request).orgId, request.params.deliveryId);
        return row ? presentDelivery(row) : refuseAsJson(reply, 404, UNKNOWN);
      },
    );
  };
}

/**
 * Processes an entry again. The routes have a scope of their own, because a body of any type is left
 * unread.
 */
export function redeliverRoutes(ports: Ports, orders: OrderReader): FastifyPluginAsync {
  const onRequest = requireCaller(ports, 'admin');
  return async (instance) => {
    const app = instance.withTypeProvider<TypeBoxTypeProvider>();
    leaveBodiesUnread(app);

    app.post(
      '/deliveries/:deliveryId/redeliver',
      { onRequest, schema: documented(redeliverDocs, { params: DeliveryParams }) },
      async (request, reply) => {
        const { deliveryId } = request.params;
        const result = await redeliverWithEntry(ports, callerOf(request), orders, deliveryId);
        if (result.kind === 'redelivered') return presentDelivery(result.delivery);
        if (result.kind === 'unknown-delivery') return refuseAsJson(reply, 404, UNKNOWN);
        if (result.kind === 'body-removed') return refuseAsJson(reply, 409, BODY_REMOVED);
        return refuseAsJson(reply, 409, `There is no order in it. ${result.reason ?? ''}`.trim());
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
    orderNumber: row.orderNumber,
  };
}

import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import {
  type DeliveryLine,
  type DeliveryListRow,
  type DeliveryQuery,
  type DeliveryStatus,
  type LineOutcome,
  normalizeSku,
  type OrderReader,
} from '@handover/domain';
import type { FastifyPluginAsync } from 'fastify';
import { type Static, Type } from 'typebox';
import { redeliverWithEntry } from '../actions/redeliver-with-entry.ts';
import { type CallerPorts, callerOf, requireCaller } from '../auth/caller.ts';
import type { HttpPorts } from '../http-ports.ts';
import { documented } from '../openapi/documented.ts';
import { EXAMPLE_IDS, nullableText, text, time, uuid } from '../openapi/fields.ts';
import type { OperationDocs } from '../openapi/operation-docs.ts';
import { findLabelProblem, platformLabel } from '../openapi/platform-label.ts';
import { json, refusals } from '../openapi/responses.ts';
import { refuseAsJson } from '../requests/answer-error.ts';
import { leaveBodiesUnread } from '../requests/request-bodies.ts';
import { everyRow } from '../streaming/every-row.ts';
import { READS, sendJsonArray } from '../streaming/json-array.ts';

type Ports = CallerPorts & Pick<HttpPorts, 'deliveries' | 'ids' | 'inTransaction' | 'platforms'>;

const UNKNOWN = 'The webhook log has no entry of this id.';
const BODY_REMOVED =
  'The stored body of this delivery was removed, so it cannot be run again. Record the sale instead.';

/** The webhook log as JSON. */
export function deliveryRoutes(ports: Ports): FastifyPluginAsync {
  const onRequest = requireCaller(ports);
  return async (instance) => {
    const app = instance.withTypeProvider<TypeBoxTypeProvider>();

    app.route({
      method: READS,
      url: '/deliveries',
      onRequest,
      schema: documented(listDeliveriesDocs, { querystring: DeliveryQueryString }),
      handler: async (request, reply) => {
        const { status = null, platform = null, before = null, limit } = request.query;
        const unknown = findLabelProblem(ports.platforms, platform);
        if (unknown) return refuseAsJson(reply, 400, unknown);
        const { orgId } = callerOf(request);
        const fetchPage = (page: Pick<DeliveryQuery, 'before' | 'limit'>) =>
          ports.deliveries.list(orgId, { status, platform, ...page });
        if (limit === undefined) return sendJsonArray(reply, everyRow(fetchPage, before), presentDelivery);
        return (await fetchPage({ before, limit })).map(presentDelivery);
      },
    });

    app.get(
      '/deliveries/:deliveryId',
      { onRequest, schema: documented(readDeliveryDocs, { params: DeliveryParams }) },
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
  const onRequest = requireCaller(ports);
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
  return {
    id: row.id,
    platform: row.platform,
    orderId: row.orderId,
    receivedAt: row.receivedAt.toISOString(),
    status: row.status,
    reason: row.reason,
    note: row.note,
    skus: row.lines.map(({ sku, outcome, reason }) => ({ sku, outcome, reason })),
    unmatchedSkus: listUnmatchedSkus(row.lines),
    orderNumber: row.orderNumber,
  };
}

/** Each as it was written first. A line without a SKU shows its title, which no mapping can name. */
function listUnmatchedSkus(lines: readonly DeliveryLine[]): string[] {
  const skus = new Map<string, string>();
  for (const { sku, candidate, outcome } of lines) {
    const key = normalizeSku(sku);
    if (outcome === 'unmatched' && candidate !== null && !skus.has(key)) skus.set(key, sku);
  }
  return [...skus.values()];
}

const STATUSES = ['pending', 'success', 'error', 'held', 'ignored'] satisfies readonly DeliveryStatus[];
const OUTCOMES = [
  'delivered',
  'already-delivered',
  'held',
  'unmatched',
  'not-ours',
] satisfies readonly LineOutcome[];

const DeliveryBody = Type.Object(
  {
    id: uuid('Made by the server; later is larger.', EXAMPLE_IDS.delivery),
    platform: platformLabel({ description: 'Which platform sent it.' }),
    orderId: nullableText('The platform’s id of the order; `null` when the event names none.', '5001'),
    receivedAt: time('When it was received.', '2026-03-02T10:00:00.000Z'),
    status: Type.Enum(STATUSES, {
      description:
        '`pending`: in work, or its receipt is still pending. `success`: delivered, and the receipt sent. `error`: nothing reached the customer. `held`: waits for a product or for the subscription. `ignored`: genuine, but no completed order of ours.',
      examples: ['held'],
    }),
    reason: nullableText('Why it is not a success: a sentence for people.', '“felt-piano” is still a draft.'),
    note: nullableText('A remark for people.', 'A test order.'),
    skus: Type.Array(
      Type.Object({
        sku: text(
          'What the platform called the product: its SKU, or the title of a line without one.',
          'FELT-PIANO',
        ),
        outcome: Type.Enum(OUTCOMES, {
          description:
            '`delivered`: this delivery made the purchase. `already-delivered`: an earlier one did. `held`: the product cannot be delivered yet. `unmatched`: no product is known for it. `not-ours`: you said so.',
          examples: ['held'],
        }),
        reason: nullableText(
          'Why it was not delivered: a sentence for people.',
          'The product is still a draft.',
        ),
      }),
      {
        description:
          'What became of each line of the order; empty until it was decided. A SKU that was delivered as one product and mapped to another since is there once for each.',
      },
    ),
    unmatchedSkus: Type.Array(Type.String({ description: 'A SKU.' }), {
      description: 'The SKUs that no product is known for, each once. Map them, or ignore them.',
      examples: [[]],
    }),
    orderNumber: nullableText(
      'The number that buyer and shop know the order by; `null` for an event that is not an order.',
      '#1001',
    ),
  },
  { $id: 'Delivery', description: 'One entry of the webhook log: one order of one delivery.' },
);

const DeliveryParams = Type.Object({
  deliveryId: text('The id of an entry of your organisation’s log.', EXAMPLE_IDS.delivery),
});

const DeliveryQueryString = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 200,
      description: 'The maximum number of entries. Without it: all of them.',
      examples: [20],
    }),
  ),
  before: Type.Optional(
    Type.String({
      format: 'uuid',
      description:
        'Only entries older than the one with this id. For the next page, pass the last id of this one.',
    }),
  ),
  status: Type.Optional(
    Type.Enum(STATUSES, { description: 'Only entries of this status.', examples: ['held'] }),
  ),
  platform: Type.Optional(platformLabel({ description: 'Only entries of this platform.' })),
});

const shared = { tag: 'Webhook log', origin: 'addition', access: 'owner or admin' } as const;

const listDeliveriesDocs: OperationDocs = {
  ...shared,
  operationId: 'listDeliveries',
  scope: 'webhook-log:read',
  summary: 'List deliveries',
  description:
    'Every entry of the webhook log, newest first, as one streamed array. To read it by pages instead, set `limit` and pass the `id` of the last entry as `before`; an answer with fewer entries than `limit` is the last page.',
  responses: {
    200: json('The entries.', Type.Array(DeliveryBody, { description: 'Newest first.' })),
    ...refusals({ 400: 'A parameter cannot be used. The sentence names it.' }),
  },
};

const readDeliveryDocs: OperationDocs = {
  ...shared,
  operationId: 'readDelivery',
  scope: 'webhook-log:read',
  summary: 'Read a delivery',
  description: 'One entry of the webhook log, as the list shows it.',
  responses: {
    200: json('The entry.', DeliveryBody),
    ...refusals({ 404: 'Your organisation’s log has no entry of this id.' }),
  },
};

const redeliverDocs: OperationDocs = {
  ...shared,
  operationId: 'redeliver',
  scope: 'webhook-log:write',
  summary: 'Deliver again',
  description:
    'Runs an entry again, as if it came in now. What is missing is made: a line that was held or unmatched is delivered if it can be, and a receipt that was never sent is sent. What was delivered before stays as it is.',
  responses: {
    200: json('The entry as it is now.', DeliveryBody),
    ...refusals({
      404: 'Your organisation’s log has no entry of this id.',
      409: 'There is no order in it: it was ignored or could not be read. Or its body is no longer kept.',
    }),
  },
};

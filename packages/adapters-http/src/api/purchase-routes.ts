import { writeAmount } from '@handover/domain';
import type { FastifyPluginAsync } from 'fastify';
import { Type } from 'typebox';
import { type CallerPorts, callerOf, requireCaller } from '../auth/caller.ts';
import type { HttpPorts } from '../http-ports.ts';
import { documented } from '../openapi/documented.ts';
import {
  EXAMPLE_IDS,
  nullableString,
  nullableText,
  nullableTime,
  text,
  time,
  uuid,
} from '../openapi/fields.ts';
import type { OperationDocs } from '../openapi/operation-docs.ts';
import { json, refusals } from '../openapi/responses.ts';
import { READS, sendJsonTexts } from '../streaming/json-array.ts';

type Ports = CallerPorts & Pick<HttpPorts, 'purchases' | 'tokens'>;

export function purchaseRoutes(ports: Ports): FastifyPluginAsync {
  const onRequest = requireCaller(ports);
  return async (app) => {
    app.route({
      method: READS,
      url: '/purchases',
      onRequest,
      schema: documented(listPurchasesDocs),
      handler: async (request, reply) => {
        const { orgId } = callerOf(request);
        const downloadUrl = (linkId: string) => ports.tokens.url(orgId, linkId);
        return sendJsonTexts(reply, ports.purchases.listAsJson(orgId, { amount: writeAmount, downloadUrl }));
      },
    });
  };
}

const PurchaseBody = Type.Object(
  {
    id: uuid('Made by the server.', EXAMPLE_IDS.purchase),
    orgId: uuid('The organisation that sold it.', EXAMPLE_IDS.organisation),
    customerId: uuid(
      'Who bought it. Pass it as `customerId` to record another sale to them.',
      EXAMPLE_IDS.customer,
    ),
    customerName: text('The customer’s name on record.', 'Ana Lima'),
    customerEmail: text('The customer’s address, as first typed.', 'ana@example.com'),
    productId: uuid('What was bought.', EXAMPLE_IDS.product),
    productName: text('The product’s name now.', 'Felt Piano'),
    productSlug: text('The product’s slug now.', 'felt-piano'),
    amount: text(
      'Exact decimal text in whole units of the currency, with at least its digits: 12.50 in EUR, 1250 in JPY.',
      '49.00',
    ),
    currency: nullableText(
      'ISO 4217 code as received. Where the platform names none: the default of its connection, else of the organisation; `null` until one of them is chosen.',
      'EUR',
    ),
    paymentMethod: text('As the form gave it, or the platform’s label.', 'custom'),
    source: text(
      'How it was recorded: `api` (by form), `dashboard` (by hand), or the label of the platform whose webhook reported it.',
      'api',
    ),
    orderId: nullableText(
      'The platform’s id of the order; `null` for sales that no webhook reported.',
      '5001',
    ),
    createdAt: time('When it was recorded.', '2026-03-02T10:00:00.000Z'),
    downloadUrl: nullableString({
      format: 'uri',
      description: 'The newest download link. Anyone who has it can download.',
      examples: ['https://shop.example/d/TOKEN'],
    }),
    downloadExpiresAt: nullableTime(
      'When that link stops working, unless it is opened before.',
      '2026-03-04T10:00:00.000Z',
    ),
    downloadUsedAt: nullableTime(
      'When a download through that link was complete.',
      '2026-03-02T10:14:08.000Z',
    ),
    receiptSentAt: nullableTime(
      'When the mail server took the receipt; `null` while it is pending or when none was asked for.',
      '2026-03-02T10:00:02.000Z',
    ),
    isTest: Type.Boolean({
      description:
        'Whether a test order that was sent from the dashboard bought it. Leave it out of what you add up. Test orders of the platform itself, such as those of Stripe’s test mode, count like others.',
      examples: [false],
    }),
  },
  { $id: 'Purchase', description: 'One product sold in one order.' },
);

const listPurchasesDocs: OperationDocs = {
  operationId: 'listPurchases',
  scope: 'purchases:read',
  summary: 'List purchases',
  description:
    'Every purchase of your organisation, newest first, as one streamed array. It cannot be filtered: search it in your program.',
  tag: 'Purchases',
  origin: 'specification',
  access: 'owner or admin',
  responses: {
    200: json(
      'The purchases. An empty array is a valid result.',
      Type.Array(PurchaseBody, { description: 'Newest first.' }),
    ),
    ...refusals(),
  },
};

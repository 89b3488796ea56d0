import { type DownloadTokens, type PurchaseRow, writeAmount } from '@handover/domain';
import type { FastifyPluginAsync } from 'fastify';
import type { Static } from 'typebox';
import type { HttpPorts } from '../http-ports.ts';
import { sendJsonArray } from '../streaming/json-array.ts';
import { callerOf, requireCaller } from './caller.ts';
import { listPurchasesDocs, type PurchaseBody } from './purchase-list-docs.ts';

export function purchaseRoutes(ports: HttpPorts): FastifyPluginAsync {
  const onRequest = requireCaller(ports, 'admin');
  return async (app) => {
    const options = { onRequest, exposeHeadRoute: false, config: { docs: listPurchasesDocs } };
    app.get('/purchases', options, async (request, reply) =>
      sendJsonArray(reply, ports.purchases.list(callerOf(request).orgId), (row) =>
        presentPurchase(row, ports.tokens),
      ),
    );
  };
}

function presentPurchase(row: PurchaseRow, tokens: DownloadTokens): Static<typeof PurchaseBody> {
  return {
    id: row.id,
    orgId: row.orgId,
    customerId: row.customerId,
    customerName: row.customerName,
    customerEmail: row.customerEmail,
    productId: row.productId,
    productName: row.productName,
    productSlug: row.productSlug,
    amount: writeAmount(row.amount, row.currency),
    currency: row.currency,
    paymentMethod: row.paymentMethod,
    source: row.source,
    orderId: row.orderId,
    createdAt: row.createdAt.toISOString(),
    downloadUrl: row.linkId === null ? null : tokens.url(row.orgId, row.linkId),
    downloadExpiresAt: row.downloadExpiresAt?.toISOString() ?? null,
    downloadUsedAt: row.downloadUsedAt?.toISOString() ?? null,
    receiptSentAt: row.receiptSentAt?.toISOString() ?? null,
  };
}

import { bearer, type TestShop } from '../open-test-shop.ts';
import { recordedDelivery } from '../recorded-delivery.ts';
import { deliverOrder, download } from '../sell-purchases.ts';
import { send } from '../send-webhook.ts';
import { asOwner, type Cases, slowly, UNKNOWN, withBody, withIds, withQuery } from './bring-answer.ts';

export const SALE_CASES: Cases = {
  listPurchases: { 200: asOwner(deliver) },
  recordPurchase: {
    201: asOwner(),
    400: withBody('customerId=new'),
    404: withIds({ productId: UNKNOWN }),
    409: asOwner(sellBefore, { headers: { 'idempotency-key': 'order-1' } }),
    408: slowly,
    413: withBody('x'.repeat(70_000)),
    415: asOwner(undefined, { headers: { 'content-type': 'application/json' } }),
    422: asOwner(sellBefore),
  },
  listDownloadSessions: { 200: asOwner(downloadOnce) },
  revokeDownloadLink: { 200: asOwner(downloadOnce), 404: withIds({ linkId: UNKNOWN }) },
  restoreDownloadLink: { 200: asOwner(downloadOnce), 404: withIds({ linkId: 'x' }) },
  reportDownloads: { 200: asOwner(), 400: withQuery('from=yesterday') },
  listDeliveries: { 200: asOwner(deliver, { url: '/api/deliveries' }), 400: withQuery('limit=0') },
  readDelivery: { 200: asOwner(deliver), 404: withIds({ deliveryId: UNKNOWN }) },
  redeliver: {
    200: asOwner(receive),
    404: withIds({ deliveryId: UNKNOWN }),
    // An entry whose bytes hold no order.
    409: asOwner(deliver),
  },
};

async function deliver(it: TestShop) {
  return { deliveryId: (await recordedDelivery(it)).id };
}

/** Sends a sale like the example's, but of another amount. */
async function sellBefore(it: TestShop): Promise<undefined> {
  const form = new URLSearchParams({
    customerId: 'new',
    'newCustomer.name': 'Ana Lima',
    'newCustomer.email': 'ana@example.com',
    productId: it.shop.product.id,
    amount: '1.00',
    currency: 'EUR',
    paymentMethod: 'custom',
  });
  const headers = {
    ...bearer(it.shop.ownerKey),
    'content-type': 'application/x-www-form-urlencoded',
    'idempotency-key': 'order-1',
  };
  await it.app.inject({ method: 'POST', url: '/api/purchases', headers, payload: form.toString() });
  return undefined;
}

async function downloadOnce(it: TestShop) {
  const { linkId } = await deliverOrder(it);
  await download(it, linkId, 5, true);
  return { linkId };
}

/** An order that came in by its webhook, so that its bytes hold it. */
async function receive(it: TestShop) {
  return { deliveryId: (await send(it)).json().deliveryId };
}

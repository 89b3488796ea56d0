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

async function deliver(testShop: TestShop) {
  return { deliveryId: (await recordedDelivery(testShop)).id };
}

/** Sends a sale like the example's, but of another amount. */
async function sellBefore(testShop: TestShop): Promise<undefined> {
  const form = new URLSearchParams({
    customerId: 'new',
    'newCustomer.name': 'Ana Lima',
    'newCustomer.email': 'ana@example.com',
    productId: testShop.shop.product.id,
    amount: '1.00',
    currency: 'EUR',
    paymentMethod: 'custom',
  });
  const headers = {
    ...bearer(testShop.shop.ownerKey),
    'content-type': 'application/x-www-form-urlencoded',
    'idempotency-key': 'order-1',
  };
  await testShop.app.inject({ method: 'POST', url: '/api/purchases', headers, payload: form.toString() });
  return undefined;
}

async function downloadOnce(testShop: TestShop) {
  const { linkId } = await deliverOrder(testShop);
  await download(testShop, linkId, 5, true);
  return { linkId };
}

/** An order that came in by its webhook, so that its bytes hold it. */
async function receive(testShop: TestShop) {
  return { deliveryId: (await send(testShop)).json().deliveryId };
}

import { addVersionFile } from '@handover/domain';
import type { Audited, Prepare } from './audited.ts';
import { sendOrder } from './fill-log.ts';
import { bearer } from './open-test-shop.ts';
import {
  beginUpload,
  HELLO,
  openVersion,
  sendPiece,
  type TestVersion,
  tusHeaders,
  versionPath,
} from './open-upload.ts';
import { sellByHand } from './sell-by-hand.ts';
import { asUrlencoded, saleFields } from './send-form.ts';

/** A change that succeeds, for every route of the API that changes something. */
export const AUDITED_API_ROUTES: Readonly<Record<string, Prepare>> = {
  'POST /api/products': async (opened) =>
    inject(opened, 'POST', '/api/products', { payload: { name: 'Keys', slug: 'keys' } }),
  'PUT /api/products/{productId}': async (opened) =>
    inject(opened, 'PUT', `/api/products/${opened.shop.product.id}`, { payload: { name: 'Renamed' } }),
  'POST /api/products/{productId}/versions': async (opened) =>
    inject(opened, 'POST', `/api/products/${opened.shop.product.id}/versions`, {
      payload: { version: '9.0' },
    }),
  'PUT /api/products/{productId}/versions/{versionId}/files/{name}': async (opened) =>
    inject(opened, 'PUT', `${versionPath(await openVersion(opened))}/files/b.zip`, { payload: 'bytes' }),
  'POST /api/products/{productId}/versions/{versionId}/activate': async (opened) =>
    inject(opened, 'POST', `${versionPath(await withFile(opened))}/activate`),
  'PATCH /api/uploads/{uploadId}': async (opened) => {
    const version = await openVersion(opened);
    const path = await beginUpload(opened, version, HELLO.length);
    return () => sendPiece(opened, path, 0, HELLO);
  },
  'POST /api/uploads/{uploadId}': async (opened) => {
    const path = await beginUpload(opened, await openVersion(opened), HELLO.length);
    const headers = { ...tusHeaders(opened.shop.ownerKey), 'x-http-method-override': 'PATCH' };
    return () => sendPiece(opened, path, 0, HELLO, headers, 'POST');
  },
  'POST /api/download-links/{linkId}/revoke': async (opened) =>
    inject(opened, 'POST', `/api/download-links/${(await sellByHand(opened)).linkId}/revoke`),
  'POST /api/download-links/{linkId}/restore': async (opened) => {
    const links = `/api/download-links/${(await sellByHand(opened)).linkId}`;
    await inject(opened, 'POST', `${links}/revoke`)();
    return inject(opened, 'POST', `${links}/restore`);
  },
  'POST /api/purchases': async (opened) => {
    const { headers, payload } = asUrlencoded(saleFields(opened));
    return inject(opened, 'POST', '/api/purchases', {
      payload,
      headers: { ...headers, ...bearer(opened.shop.ownerKey) },
    });
  },
  'PUT /api/sku-mappings/{sku}': async (opened) =>
    inject(opened, 'PUT', '/api/sku-mappings/PADS-9', { payload: { productId: opened.shop.product.id } }),
  'DELETE /api/sku-mappings/{sku}': async (opened) => {
    await opened.ports.skuMappings.put(opened.shop.orgId, { sku: 'pads-9', platform: null, productId: null });
    return inject(opened, 'DELETE', '/api/sku-mappings/PADS-9');
  },
  'POST /api/deliveries/{deliveryId}/redeliver': async (opened) =>
    inject(opened, 'POST', `/api/deliveries/${await sendOrder(opened, { sku: 'KEYS' })}/redeliver`),
};

const inject =
  (audited: Audited, method: 'POST' | 'PUT' | 'DELETE', url: string, rest: object = {}) =>
  () =>
    audited.app.inject({ method, url, headers: bearer(audited.shop.ownerKey), ...rest });

/** A version with one file. */
export async function withFile(audited: Audited): Promise<TestVersion> {
  const version = await openVersion(audited);
  const place = { orgId: audited.shop.orgId, ...version, name: 'a.zip' };
  await addVersionFile(
    audited.ports,
    place,
    (async function* () {
      yield HELLO;
    })(),
  );
  return version;
}

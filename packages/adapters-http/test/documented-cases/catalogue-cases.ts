import type { HttpOptions } from '@handover/adapters-http';
import { bearer, openTestShop, type TestShop } from '../open-test-shop.ts';
import { openVersion, versionPath } from '../open-upload.ts';
import { exampleRequest } from '../read-document.ts';
import {
  asOwner,
  type Case,
  type Cases,
  IMPATIENT,
  LARGE,
  type Request,
  slowly,
  stalled,
  UNKNOWN,
  withBody,
  withIds,
  withQuery,
} from './bring-answer.ts';

export const CATALOGUE_CASES: Cases = {
  listProducts: { 200: asOwner() },
  createProduct: {
    201: asOwner(),
    400: withBody({}),
    409: withBody({ name: 'x', slug: 'pads' }),
    408: slowly,
    413: withBody(LARGE),
    415: asOwner(undefined, { headers: { 'content-type': 'text/csv' } }),
  },
  updateProduct: {
    200: asOwner(),
    400: withBody({ status: 'gone' }),
    404: withIds({ productId: UNKNOWN }),
    409: async (operation) => {
      const addOther = async (it: TestShop) => {
        const headers = bearer(it.shop.ownerKey);
        const payload = { name: 'x', slug: 'other' };
        await it.app.inject({ method: 'POST', url: '/api/products', headers, payload });
        return undefined;
      };
      return asOwner(addOther, { payload: { slug: 'other' } })(operation);
    },
    408: slowly,
    413: withBody(LARGE),
    415: asOwner(undefined, { headers: { 'content-type': 'text/csv' } }),
  },
  createVersion: {
    201: asOwner(),
    400: withBody({ version: 'a b' }),
    404: withIds({ productId: UNKNOWN }),
    409: withBody({ version: '1.0' }),
    408: slowly,
    413: withBody(LARGE),
    415: asOwner(undefined, { headers: { 'content-type': 'text/csv' } }),
  },
  uploadFile: {
    201: asOwner(openVersion),
    400: asOwner(async (it) => ({ ...(await openVersion(it)), name: 'a/b' })),
    404: withIds({ versionId: UNKNOWN }),
    408: file({ payload: stalled() }, { bodyLimits: IMPATIENT }),
    409: asOwner(async ({ shop }) => ({ versionId: shop.version.id })),
    413: file({}, { maxFileSize: 1 }),
    415: file({ headers: { 'content-encoding': 'gzip' } }),
    507: async (operation) => {
      const full = async () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
      const it = await openTestShop(({ files }) => ({ files: { ...files, store: full } }));
      const { versionId } = await openVersion(it);
      const request = exampleRequest(operation, { productId: it.shop.product.id, versionId });
      return it.app.inject({ ...request, headers: { ...request.headers, ...bearer(it.shop.ownerKey) } });
    },
  },
  activateVersion: {
    200: asOwner(prepareFile),
    404: withIds({ versionId: UNKNOWN }),
    409: asOwner(openVersion),
  },
  listSkuMappings: { 200: asOwner(mapSku) },
  putSkuMapping: {
    200: asOwner(),
    400: withBody({}),
    404: withIds({ productId: UNKNOWN }),
    408: slowly,
    413: withBody(LARGE),
    415: asOwner(undefined, { headers: { 'content-type': 'text/csv' } }),
  },
  deleteSkuMapping: { 204: asOwner(mapSku), 400: withQuery('platform=none'), 404: asOwner() },
};

/** Sends the document's own example of a file to a version that takes files. */
function file(change: Request, options: Partial<HttpOptions> = {}): Case {
  return async (operation) => {
    const it = await openTestShop(undefined, options);
    const { headers, ...request } = exampleRequest(operation, await openVersion(it));
    return it.app.inject({
      ...request,
      ...change,
      headers: { ...headers, ...bearer(it.shop.ownerKey), ...change.headers },
    });
  };
}

async function prepareFile(it: TestShop) {
  const version = await openVersion(it);
  const url = `${versionPath(version)}/files/felt.zip`;
  await it.app.inject({ method: 'PUT', url, headers: bearer(it.shop.ownerKey), payload: 'hello' });
  return version;
}

async function mapSku(it: TestShop): Promise<undefined> {
  await it.stores.skuMappings.put(it.shop.orgId, {
    sku: 'pad-1',
    platform: 'storefront-a',
    productId: it.shop.product.id,
  });
  return undefined;
}

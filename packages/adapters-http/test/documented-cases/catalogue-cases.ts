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
      const addOther = async (testShop: TestShop) => {
        const headers = bearer(testShop.shop.ownerKey);
        const payload = { name: 'x', slug: 'other' };
        await testShop.app.inject({ method: 'POST', url: '/api/products', headers, payload });
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
    400: withBody({ version: 'a  b' }),
    404: withIds({ productId: UNKNOWN }),
    409: withBody({ version: '1.0' }),
    408: slowly,
    413: withBody(LARGE),
    415: asOwner(undefined, { headers: { 'content-type': 'text/csv' } }),
  },
  uploadFile: {
    201: asOwner(openVersion),
    400: asOwner(async (opened) => ({ ...(await openVersion(opened)), name: 'a/b' })),
    404: withIds({ versionId: UNKNOWN }),
    408: file({ payload: stalled() }, { bodyLimits: IMPATIENT }),
    409: asOwner(async ({ shop }) => ({ versionId: shop.version.id })),
    413: file({}, { maxFileSize: 1 }),
    415: file({ headers: { 'content-encoding': 'gzip' } }),
    507: async (operation) => {
      const full = async () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
      const testShop = await openTestShop(({ files }) => ({ files: { ...files, store: full } }));
      const { versionId } = await openVersion(testShop);
      const request = exampleRequest(operation, { productId: testShop.shop.product.id, versionId });
      return testShop.app.inject({
        ...request,
        headers: { ...request.headers, ...bearer(testShop.shop.ownerKey) },
      });
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
    const testShop = await openTestShop(undefined, options);
    const { headers, ...request } = exampleRequest(operation, await openVersion(testShop));
    return testShop.app.inject({
      ...request,
      ...change,
      headers: { ...headers, ...bearer(testShop.shop.ownerKey), ...change.headers },
    });
  };
}

async function prepareFile(testShop: TestShop) {
  const version = await openVersion(testShop);
  const url = `${versionPath(version)}/files/felt.zip`;
  await testShop.app.inject({
    method: 'PUT',
    url,
    headers: bearer(testShop.shop.ownerKey),
    payload: 'hello',
  });
  return version;
}

async function mapSku(testShop: TestShop): Promise<undefined> {
  await testShop.stores.skuMappings.put(testShop.shop.orgId, {
    sku: 'pad-1',
    platform: 'storefront-a',
    productId: testShop.shop.product.id,
  });
  return undefined;
}

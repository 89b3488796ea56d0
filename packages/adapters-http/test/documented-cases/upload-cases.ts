import type { Readable } from 'node:stream';
import type { HttpOptions } from '@handover/adapters-http';
import { bearer, openTestShop, type TestShop } from '../open-test-shop.ts';
import { beginUpload, goLive, metadata, openVersion, type TestVersion } from '../open-upload.ts';
import { exampleRequest } from '../read-document.ts';
import { asOwner, type Case, type Cases, IMPATIENT, stalled } from './bring-answer.ts';

type Options = Partial<HttpOptions> & { readonly payload?: Readable };

const PIECE = { 'content-type': 'application/offset+octet-stream' };

type Headers = Readonly<Record<string, string>>;

export const UPLOAD_CASES: Cases = {
  describeUploads: { 204: asOwner() },
  createUpload: {
    201: upload(),
    400: upload({ 'upload-metadata': 'filename' }),
    404: asOwner(),
    410: upload({}, async (opened) => {
      const metadataOf = {
        productId: opened.shop.product.id,
        versionId: opened.shop.version.id,
        filename: 'a',
      };
      return { 'upload-metadata': metadata(metadataOf) };
    }),
    408: upload(PIECE, undefined, undefined, { bodyLimits: IMPATIENT, payload: stalled() }),
    412: upload({ 'tus-resumable': '' }),
    413: upload({ 'upload-length': String(1024 ** 3 + 1) }),
    429: upload({}, fillUploads),
    507: upload({}, undefined, 'create'),
  },
  sendPiece: {
    204: piece(),
    400: piece({ 'upload-offset': 'x' }),
    404: asOwner(),
    408: piece({}, undefined, 5, { bodyLimits: IMPATIENT, payload: stalled() }),
    409: piece({ 'upload-offset': '3' }),
    410: piece({}, goLive),
    412: piece({ 'tus-resumable': '' }),
    413: piece({}, undefined, 3),
    507: piece({}, async ({ ports }) => {
      const pieces = await ports.uploads.pieces();
      pieces.write = async () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    }),
  },
  deleteUpload: {
    204: piece(),
    404: asOwner(),
    412: piece({ 'tus-resumable': '' }),
  },
};

/** As many as an organisation may have open. */
async function fillUploads(testShop: TestShop): Promise<Headers> {
  const version = await openVersion(testShop, '3.0');
  for (let open = 0; open < 100; open += 1) await beginUpload(testShop, version, 5);
  return {};
}

/** Begins an upload of the document's own example, into a version that takes files. */
function upload(
  changes: Headers = {},
  prepare: (testShop: TestShop) => Promise<Headers> = async () => ({}),
  fails?: 'create',
  { payload, ...options }: Options = {},
): Case {
  return async (operation) => {
    const testShop = await openTestShop(undefined, options);
    if (fails) {
      const pieces = await testShop.ports.uploads.pieces();
      pieces.create = async () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    }
    const own = { 'upload-metadata': metadata({ ...(await openVersion(testShop)), filename: 'felt.zip' }) };
    const { headers, ...request } = exampleRequest(operation);
    const merged = {
      ...headers,
      ...bearer(testShop.shop.ownerKey),
      ...own,
      ...changes,
      ...(await prepare(testShop)),
    };
    return testShop.app.inject({ ...request, headers: merged, ...(payload ? { payload } : {}) });
  };
}

/** Sends the document's own example of a piece to an upload that has just been begun. */
function piece(
  changes: Headers = {},
  prepare: (testShop: TestShop, version: TestVersion) => Promise<void> = async () => {},
  size = 5,
  { payload, ...options }: Options = {},
): Case {
  return async (operation) => {
    const testShop = await openTestShop(undefined, options);
    const version = await openVersion(testShop);
    const url = await beginUpload(testShop, version, size);
    await prepare(testShop, version);
    const { headers, ...request } = exampleRequest(operation);
    return testShop.app.inject({
      ...request,
      ...(payload ? { payload } : {}),
      url,
      headers: { ...headers, ...bearer(testShop.shop.ownerKey), ...changes },
    });
  };
}

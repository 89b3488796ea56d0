import { bearer, openTestShop, type TestShop } from '../open-test-shop.ts';
import { beginUpload, goLive, metadata, openVersion, type TestVersion } from '../open-upload.ts';
import { exampleRequest } from '../read-document.ts';
import { asOwner, type Case, type Cases } from './bring-answer.ts';

type Headers = Readonly<Record<string, string>>;

export const UPLOAD_CASES: Cases = {
  createUpload: {
    201: upload(),
    400: upload({ 'upload-metadata': 'filename' }),
    404: asOwner(),
    410: upload({}, async (it) => {
      const metadataOf = { productId: it.shop.product.id, versionId: it.shop.version.id, filename: 'a' };
      return { 'upload-metadata': metadata(metadataOf) };
    }),
    412: upload({ 'tus-resumable': '' }),
    507: upload({}, undefined, 'create'),
  },
  sendPiece: {
    204: piece(),
    400: piece({ 'upload-offset': 'x' }),
    404: asOwner(),
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

/** Begins an upload of the document's own example, into a version that takes files. */
function upload(
  changes: Headers = {},
  prepare: (it: TestShop) => Promise<Headers> = async () => ({}),
  fails?: 'create',
): Case {
  return async (operation) => {
    const it = await openTestShop();
    if (fails) {
      const pieces = await it.ports.uploads.pieces();
      pieces.create = async () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    }
    const own = { 'upload-metadata': metadata({ ...(await openVersion(it)), filename: 'felt.zip' }) };
    const { headers, ...request } = exampleRequest(operation);
    const merged = { ...headers, ...bearer(it.shop.ownerKey), ...own, ...changes, ...(await prepare(it)) };
    return it.app.inject({ ...request, headers: merged });
  };
}

/** Sends the document's own example of a piece to an upload that has just been begun. */
function piece(
  changes: Headers = {},
  prepare: (it: TestShop, version: TestVersion) => Promise<void> = async () => {},
  size = 5,
): Case {
  return async (operation) => {
    const it = await openTestShop();
    const version = await openVersion(it);
    const url = await beginUpload(it, version, size);
    await prepare(it, version);
    const { headers, ...request } = exampleRequest(operation);
    return it.app.inject({
      ...request,
      url,
      headers: { ...headers, ...bearer(it.shop.ownerKey), ...changes },
    });
  };
}

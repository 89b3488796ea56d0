import { createHash } from 'node:crypto';
import { cookieOf, type SignedInUser, scriptTokenOf } from './open-dashboard.ts';
import { bearer, type TestShop } from './open-test-shop.ts';

/** A type and no interface, so that it is taken where names of ids are asked for. */
export type TestVersion = { readonly productId: string; readonly versionId: string };

export const HELLO = Buffer.from('hello world');

/** A version that takes files. */
export async function openVersion({ app, shop }: TestShop, version = '2.0'): Promise<TestVersion> {
  const productId = shop.product.id;
  const url = `/api/products/${productId}/versions`;
  const headers = bearer(shop.ownerKey);
  const answer = await app.inject({ method: 'POST', url, headers, payload: { version } });
  return { productId, versionId: answer.json().id };
}

export function versionPath({ productId, versionId }: TestVersion): string {
  return `/api/products/${productId}/versions/${versionId}`;
}

/** Gives a version a file and makes it live, after which it takes no further ones. */
export async function goLive({ app, shop }: TestShop, version: TestVersion): Promise<void> {
  const at = versionPath(version);
  const headers = bearer(shop.ownerKey);
  await app.inject({ method: 'PUT', url: `${at}/files/a.zip`, headers, payload: 'a' });
  await app.inject({ method: 'POST', url: `${at}/activate`, headers });
}

export async function filesOf(testShop: TestShop, { productId, versionId }: TestVersion) {
  return (await testShop.stores.products.findVersion(testShop.shop.orgId, productId, versionId))?.files ?? [];
}

export function metadata(members: Readonly<Record<string, string>>): string {
  return Object.entries(members)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',');
}

export function tusHeaders(key: string): Readonly<Record<string, string>> {
  return { ...bearer(key), 'tus-resumable': '1.0.0' };
}

/** Sends like the script of a page, with the session of the signed-in user. */
export async function scriptHeaders(
  browser: SignedInUser,
  { productId }: TestVersion,
): Promise<Readonly<Record<string, string>>> {
  return {
    cookie: cookieOf(browser),
    'x-form-token': await scriptTokenOf(browser, `/dashboard/products/${productId}`),
    'sec-fetch-site': 'same-origin',
    'tus-resumable': '1.0.0',
  };
}

/** Begins an upload; answers with its path. */
export async function beginUpload(
  testShop: TestShop,
  version: TestVersion,
  size: number,
  members: Readonly<Record<string, string>> = {},
  sender = tusHeaders(testShop.shop.ownerKey),
): Promise<string> {
  const answer = await testShop.app.inject({
    method: 'POST',
    url: '/api/uploads',
    headers: {
      ...sender,
      'upload-length': String(size),
      'upload-metadata': metadata({ ...version, filename: 'felt.zip', ...members }),
    },
  });
  if (answer.statusCode !== 201) throw new Error(`${answer.statusCode} ${answer.body}`);
  return new URL(String(answer.headers.location), 'http://x/api/uploads').pathname;
}

export function sendPiece(
  testShop: TestShop,
  path: string,
  offset: number,
  bytes: Uint8Array,
  sender = tusHeaders(testShop.shop.ownerKey),
  method: 'PATCH' | 'POST' = 'PATCH',
) {
  return testShop.app.inject({
    method,
    url: path,
    headers: {
      ...sender,
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
    },
    payload: Buffer.from(bytes),
  });
}

export function askAfter(testShop: TestShop, path: string, sender = tusHeaders(testShop.shop.ownerKey)) {
  return testShop.app.inject({ method: 'HEAD', url: path, headers: sender });
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

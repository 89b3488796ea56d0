import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Shop } from '../../checks/chaos/shop.ts';
import type { World } from './open-world.ts';

const MEGABYTE = 1_000_000;

/** A file that was sold. */
export interface SoldFile {
  /** The buyer's download page. */
  readonly page: string;
  readonly url: string;
  readonly sha256: string;
}

/** Sells a product with one large file, in which no two megabytes are equal. */
export async function sellFile(world: World, shop: Shop, megabytes: number): Promise<SoldFile> {
  const authorization = { authorization: `Bearer ${shop.apiKey}` };
  const call = async (method: string, path: string, init: RequestInit): Promise<Response> => {
    const headers = { ...authorization, ...init.headers };
    const response = await fetch(`${world.server().url}/api${path}`, { ...init, method, headers });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const json = async (method: string, path: string, body?: object): Promise<Record<string, string>> => {
    const init = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await call(method, path, body ? init : {});
    return (await response.json()) as Record<string, string>;
  };
  const product = await json('POST', '/products', { name: 'Large', slug: 'large' });
  const at = `/products/${product.id}`;
  const version = await json('POST', `${at}/versions`, { version: '1.0' });
  const upload = await call('PUT', `${at}/versions/${version.id}/files/large.bin`, {
    headers: { 'content-type': 'application/octet-stream' },
    body: Readable.toWeb(Readable.from(writeContent(megabytes))) as ReadableStream,
    duplex: 'half',
  });
  const { sha256 } = (await upload.json()) as { readonly sha256: string };
  await json('POST', `${at}/versions/${version.id}/activate`);
  await json('PUT', at, { status: 'published' });
  const sale = await call('POST', '/purchases', {
    body: new URLSearchParams({
      customerId: 'new',
      'newCustomer.name': 'Ana Lima',
      'newCustomer.email': 'ana@example.com',
      productId: product.id ?? '',
      amount: '49.00',
      currency: 'EUR',
      paymentMethod: 'custom',
    }),
  });
  const link = /href="[^"]+(\/d\/[^"]+)"/.exec(await sale.text())?.[1];
  const page = `${world.server().url}${link}`;
  return { page, url: `${page}/files/1.0/large.bin`, sha256 };
}

function* writeContent(megabytes: number): Generator<Buffer> {
  const block = randomBytes(MEGABYTE);
  for (let written = 0; written < megabytes; written += 1) {
    block.writeUInt32BE(written);
    // A copy: the previous one may still be in transit.
    yield Buffer.from(block);
  }
}

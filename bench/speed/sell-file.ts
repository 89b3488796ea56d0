import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { addProduct, recordSale, setProductStatus } from '../../test/shop-api.ts';
import type { World } from './open-world.ts';

const MEGABYTE = 1_000_000;

/** A file that was sold. */
export interface SoldFile {
  /** The buyer's download page. */
  readonly page: string;
  readonly url: string;
  readonly sha256: string;
}

/** The first shop sells a product with one large file, in which no two megabytes are equal. */
export async function sellFile({ server, shop }: World, megabytes: number): Promise<SoldFile> {
  const { url } = server();
  const file = Readable.toWeb(Readable.from(writeContent(megabytes))) as ReadableStream;
  const { id, sha256 } = await addProduct(url, shop.apiKey, { name: 'Large', slug: 'large', file });
  await setProductStatus(url, shop.apiKey, id, 'published');
  const sold = await recordSale(url, shop.apiKey, id, { name: 'Ana Lima', email: 'ana@example.com' });
  const page = `${url}${/href="[^"]+(\/d\/[^"]+)"/.exec(sold)?.[1]}`;
  return { page, url: `${page}/files/1.0/large.zip`, sha256 };
}

function* writeContent(megabytes: number): Generator<Buffer> {
  const block = randomBytes(MEGABYTE);
  for (let written = 0; written < megabytes; written += 1) {
    block.writeUInt32BE(written);
    // A copy: the previous one may still be in transit.
    yield Buffer.from(block);
  }
}

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { openDatabase } from './support/open-database.ts';
import { runCliForJson, runCliHere } from './support/server-process.ts';
import { openOwnShop, shareServer } from './support/shared-server.ts';
import { listPurchases, sendOrder, until } from './support/shop.ts';

const shared = shareServer();

interface Created {
  readonly productId: string;
  readonly slug: string;
}

async function openCommands() {
  const opened = await openOwnShop(shared());
  const environment = { ...opened.environment, SITE_URL: opened.server.url };
  const org = ['--org', opened.shop.orgId];
  const say = async (...words: readonly string[]) => {
    const { code, stdout, stderr } = await runCliHere(environment, [...words, ...org]);
    return { code, said: stdout + stderr };
  };
  const read = <T>(...words: readonly string[]) => runCliForJson<T>(environment, [...words, ...org]);
  const path = join(await makeTemporaryDirectory(), 'glass.zip');
  await writeFile(path, 'glass');
  const upload = (product: string, ...more: readonly string[]) =>
    ['product', 'upload', path, '--product', product, '--version', '1.0', ...more] as const;
  return { ...opened, say, read, upload, path, orgId: opened.shop.orgId };
}

describe('product create', () => {
  it('adds a draft, and names the next command with its values', async () => {
    const { say, read, orgId } = await openCommands();
    const { code, said } = await say('product', 'create', '--name', 'Glass Pads');
    expect([code, said]).toEqual([0, expect.stringContaining('Glass Pads is added as a draft.')]);
    expect(said).toContain(
      `product upload FILE --org ${orgId} --product glass-pads --version 1.0 --activate`,
    );
    expect(await read('product', 'create', '--name', 'Night Pads', '--slug', 'NP 2')).toEqual({
      productId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      slug: 'np-2',
      name: 'Night Pads',
      status: 'draft',
    });
  });

  it.each([
    ['a slug that is taken', ['--name', 'Felt Piano'], /^--slug felt-piano is the slug of another product/],
    ['a name without a letter', ['--name', '!!'], /^--slug must hold at least one letter/],
    [
      'a name that makes no slug, and names the option',
      ['--name', 'ピアノ'],
      /made from the name\. Add one, such as --slug my-product\.$/m,
    ],
    ['a slug without a letter', ['--name', 'ピアノ', '--slug', '!!'], /^--slug must hold .* or digit\.$/m],
    ['no name', ['--name', ' '], /^--name /],
  ])('refuses %s', async (_, words, message) => {
    const { say } = await openCommands();
    expect(await say('product', 'create', ...words)).toEqual({
      code: 1,
      said: expect.stringMatching(message),
    });
  });
});

describe('product list', () => {
  it('has the files of live versions with their names for buyers, in the buyers’ order, and so does product upload', async () => {
    const { environment, read, say, upload, shop } = await openCommands();
    const database = await openDatabase(environment.DATABASE_URL);
    const named = `update version_files set display_name = 'For Mac and Windows' where org_id = $1`;
    await database.query(named, [shop.orgId]);
    const { products } = await read<{ products: readonly { files: readonly object[] }[] }>('product', 'list');
    expect(products[0]?.files).toMatchObject([
      { name: 'felt-piano.zip', size: shop.file.length, displayName: 'For Mac and Windows' },
    ]);
    expect((await say('product', 'list')).said).toContain('    For Mac and Windows (felt-piano.zip)');
    await read('product', 'create', '--name', 'Glass Pads');
    await read(...upload('glass-pads'));
    await database.query(named, [shop.orgId]);
    const again = await read<{ files: readonly object[] }>(...upload('glass-pads'));
    expect(again.files).toMatchObject([
      { name: 'glass.zip', displayName: 'For Mac and Windows', uploaded: false },
    ]);
    expect((await say(...upload('glass-pads'))).said).toContain('glass.zip (“For Mac and Windows”)');
  });

  it('shows the newest first, a page at a time, and what the first unfinished one needs', async () => {
    const { say, read, shop } = await openCommands();
    const glass = await read<Created>('product', 'create', '--name', 'Glass Pads');
    const all = await read('product', 'list');
    expect(all).toEqual({
      products: [
        expect.objectContaining({
          id: glass.productId,
          slug: 'glass-pads',
          status: 'draft',
          activeVersion: null,
        }),
        expect.objectContaining({ id: shop.productId, status: 'published', activeVersion: '1.0' }),
      ],
      next: null,
    });
    const page = await read('product', 'list', '--limit', '1');
    expect(page).toEqual({
      products: [expect.objectContaining({ id: glass.productId })],
      next: glass.productId,
    });
    expect(await read('product', 'list', '--after', glass.productId)).toEqual({
      products: [expect.objectContaining({ id: shop.productId })],
      next: null,
    });
    const { said } = await say('product', 'list', '--limit', '1');
    expect(said).toContain('glass-pads  draft, no live version');
    expect(said).toContain(`product list --org ${shop.orgId} --limit 1 --after ${glass.productId}`);
    expect(said).toContain('--product glass-pads --version 1.0 --activate');
  });
});

describe('org list', () => {
  it('shows organisations, oldest first', async () => {
    const { environment, orgId } = await openCommands();
    const { organisations, next } = await runCliForJson<{
      readonly organisations: readonly { readonly id: string }[];
      readonly next: string | null;
    }>(environment, ['org', 'list']);
    expect([organisations.at(-1)?.id, next]).toEqual([orgId, null]);
    expect(organisations[0]).toMatchObject({ name: 'Lumen Audio', email: expect.stringContaining('@') });
    const first = await runCliForJson(environment, ['org', 'list', '--limit', '1']);
    if (organisations.length > 1) expect(first).toMatchObject({ next: organisations[0]?.id });
    const said = await runCliHere(environment, ['org', 'list']);
    expect(said.stdout).toContain(`  ${orgId}  Lumen Audio, `);
    expect(said.stdout).toContain(`product list --org ${organisations[0]?.id}`);
  });
});

describe('product publish', () => {
  it('says without a live version that nothing is delivered until one is live, and how', async () => {
    const { say, server, orgId } = await openCommands();
    await say('product', 'create', '--name', 'Glass Pads');
    await sendOrder(server.url, orgId, '1', { skus: ['glass-pads'] });
    const { code, said } = await say('product', 'publish', '--product', 'glass-pads');
    expect(code).toBe(0);
    expect(said).toContain('Glass Pads is published, but nothing is delivered until a version of it is live');
    expect(said).toContain('1 order is held for it.');
    expect(said).toContain(
      `product upload FILE --org ${orgId} --product glass-pads --version 1.0 --activate`,
    );
  });

  it('delivers what was held, and says how many orders', async () => {
    const { say, read, upload, server, shop, orgId } = await openCommands();
    await say('product', 'create', '--name', 'Glass Pads');
    for (const orderId of ['1', '2']) await sendOrder(server.url, orgId, orderId, { skus: ['glass-pads'] });
    const uploaded = await say(...upload('glass-pads', '--activate'));
    expect(uploaded.said).toContain('Version 1.0 of Glass Pads is live. Its files stay as they are.');
    expect(uploaded.said).toContain('Glass Pads is a draft: it delivers nothing yet.');
    expect(uploaded.said).toContain(`product publish --org ${orgId} --product glass-pads`);

    const { code, said } = await say('product', 'publish', '--product', 'glass-pads');
    expect([code, said]).toEqual([
      0,
      expect.stringContaining('Glass Pads is published: orders now deliver version 1.0.'),
    ]);
    expect(said).toContain('2 orders were held for it: their receipts go out now.');
    expect(said).toContain(`simulate storefront-a --org ${orgId} --sku glass-pads`);
    await until(async () => (await listPurchases(server.url, shop.apiKey)).length === 2);
    await until(
      async () =>
        (await read<{ released: number }>('product', 'publish', '--product', 'glass-pads')).released === 0,
    );
    expect((await say('product', 'publish', '--product', 'glass-pads')).said).toContain(
      'No order was held for it.',
    );
  });

  it('releases the held orders of a product again when its new version is live', async () => {
    const { say, upload, server, orgId } = await openCommands();
    await say('product', 'create', '--name', 'Glass Pads');
    await say('product', 'publish', '--product', 'glass-pads');
    await sendOrder(server.url, orgId, '1', { skus: ['glass-pads'] });
    const { said } = await say(...upload('glass-pads', '--activate'));
    expect(said).toContain('1 order is still held for it.');
    expect(said).toContain(`product publish --org ${orgId} --product glass-pads`);
  });
});

describe('sku map', () => {
  it('delivers the orders that waited for the SKU, and says how many', async () => {
    const { say, read, server, shop, orgId } = await openCommands();
    for (const orderId of ['1', '2']) await sendOrder(server.url, orgId, orderId, { skus: ['FP-OLD'] });
    const map = ['sku', 'map', '--sku', 'FP-OLD', '--product', 'felt-piano'] as const;
    const { code, said } = await say(...map);
    expect(code).toBe(0);
    expect(said).toContain('2 orders that waited for it are processed again now.');
    await until(async () => (await listPurchases(server.url, shop.apiKey)).length === 2);
    await until(async () => (await read<{ released: number }>(...map)).released === 0);
    expect((await say(...map)).said).not.toContain('waited for it');
  });
});

describe('the order that sku map names next', () => {
  it('is of a shop that is connected; without one, the shop is connected first', async () => {
    const { say, orgId } = await openCommands();
    const map = ['sku', 'map', '--sku', 'FP 1', '--product', 'felt-piano'] as const;
    expect((await say(...map)).said).toContain(`simulate storefront-a --org ${orgId} --sku 'fp 1'`);
    const { said } = await say(...map, '--platform', 'samcart');
    expect(said).toContain(`integration set --org ${orgId} --platform cart-a`);
    expect(said).not.toContain('simulate');
  });
});

describe('a product', () => {
  it('is accepted by slug or by id in every command', async () => {
    const { read, upload } = await openCommands();
    const { productId } = await read<Created>('product', 'create', '--name', 'Glass Pads');
    for (const product of [productId, productId.toUpperCase(), 'glass-pads', 'Glass Pads']) {
      expect(await read('sku', 'map', '--sku', 'GP-1', '--product', product)).toMatchObject({ productId });
      expect(await read(...upload(product))).toMatchObject({ productId });
      expect(await read('product', 'publish', '--product', product)).toMatchObject({ productId });
    }
  });

  it('is refused if it is unknown, with the command that lists products', async () => {
    const { say, upload, orgId } = await openCommands();
    const refused = {
      code: 1,
      said: expect.stringMatching(
        new RegExp(`^--product glass is not a product[^]*product list --org ${orgId}`),
      ),
    };
    expect(await say('sku', 'map', '--sku', 'GP-1', '--product', 'glass')).toEqual(refused);
    expect(await say(...upload('glass'))).toEqual(refused);
    expect(await say('product', 'publish', '--product', 'glass')).toEqual(refused);
  });
});

describe('product upload of a version that is live', () => {
  it('says that it is already live when it has these files, and refuses others', async () => {
    const { say, read, upload, path } = await openCommands();
    await say('product', 'create', '--name', 'Glass Pads');
    await say(...upload('glass-pads', '--activate'));
    for (const words of [upload('glass-pads', '--activate'), upload('glass-pads')]) {
      const { code, said } = await say(...words);
      expect([code, said]).toEqual([0, expect.stringContaining('Version 1.0 of Glass Pads is already live')]);
      expect(await read(...words)).toMatchObject({ activated: true, files: [{ uploaded: false }] });
    }
    await writeFile(path, 'another');
    const other = await say(...upload('glass-pads', '--activate'));
    expect([other.code, other.said]).toEqual([
      1,
      expect.stringMatching(/--version 1\.0 was live, .*Choose another/),
    ]);
  });

  it('refuses a version that was live before another one', async () => {
    const { say, upload } = await openCommands();
    await say('product', 'create', '--name', 'Glass Pads');
    await say(...upload('glass-pads', '--activate'));
    await say(...upload('glass-pads', '--activate').map((word) => (word === '1.0' ? '2.0' : word)));
    const { code, said } = await say(...upload('glass-pads', '--activate'));
    expect([code, said]).toEqual([1, expect.stringContaining('--version 1.0 was live')]);
  });
});

import { describe, expect, it } from 'vitest';
import { runCliForJson, runCliHere } from './support/server-process.ts';
import { openOwnShop, shareServer } from './support/shared-server.ts';

const shared = shareServer();

async function openCommands() {
  const { environment, shop, server } = await openOwnShop(shared());
  const settings = { ...environment, SITE_URL: server.url };
  const org = ['--org', shop.orgId];
  const say = async (...words: readonly string[]) => {
    const { code, stdout, stderr } = await runCliHere(settings, [...words, ...org]);
    return { code, said: stdout + stderr };
  };
  const read = <T>(...words: readonly string[]) => runCliForJson<T>(settings, [...words, ...org]);
  return { settings, say, read, orgId: shop.orgId, url: server.url };
}

const NOBODY = '00000000-0000-7000-8000-000000000000';

describe('sku list', () => {
  it('shows what each SKU delivers, page by page, with the platforms of one SKU together', async () => {
    const { say, read, orgId } = await openCommands();
    expect(await say('sku', 'list')).toEqual({
      code: 0,
      said: expect.stringContaining('No SKU is mapped'),
    });
    await say('sku', 'map', '--sku', 'LIST-1', '--product', 'felt-piano');
    await say('sku', 'map', '--sku', 'LIST-1', '--product', 'felt-piano', '--platform', 'cart-a');
    await say('sku', 'ignore', '--sku', 'list-2 b');

    const first = await say('sku', 'list', '--limit', '1');
    expect(first.said).toMatch(
      /^ {2}list-1 {2}delivers felt-piano on every platform\n {2}list-1 {2}delivers felt-piano on SamCart\n/,
    );
    expect(first.said).toContain(`sku list --org ${orgId} --limit 1 --after list-1`);
    expect((await say('sku', 'list')).said).toContain(`sku map --org ${orgId} --sku PAD-1 --product `);
    expect((await say('sku', 'ignore', '--sku', 'list-2 b')).said).toContain(`sku list --org ${orgId}`);
    expect(await read('sku', 'list', '--after', 'LIST-1')).toEqual({
      skuMappings: [{ sku: 'list-2 b', platform: null, productId: null }],
      next: null,
    });
    expect(await say('sku', 'list', '--after', 'nothing')).toEqual({
      code: 1,
      said: expect.stringContaining('--after nothing is not a mapped SKU'),
    });
  });
});

describe('integration list', () => {
  it('shows connections and how they are doing, and never a secret', async () => {
    const { say, read } = await openCommands();
    const secret = 'a-secret-that-nobody-may-see';
    await say('integration', 'set', '--platform', 'cart-a', '--name', 'second', '--secret', secret);
    const { code, said } = await say('integration', 'list');
    expect([code, said]).toEqual([0, expect.stringContaining('SamCart (cart-a)')]);
    expect(said).toContain('second: set up, nothing received yet');
    expect(said).toMatch(
      /Next: send a signed sample order:\n.* simulate [\w-]+ --org [\w-]+ --sku felt-piano/,
    );
    const { platforms } = await read<{ platforms: readonly { platform: string }[] }>('integration', 'list');
    expect(platforms.find(({ platform }) => platform === 'cart-a')).toMatchObject({
      rejected: 0,
      connections: [{ name: 'second', state: 'waiting', secrets: 1, lastDelivery: null }],
    });
    expect(said + JSON.stringify(platforms)).not.toContain(secret);
  });
});

describe('what integration list advises', () => {
  it('after a rejected request: another secret for each shop that heard nothing since, none in the place of one that works', async () => {
    const { say, orgId, url } = await openCommands();
    await say('integration', 'set', '--platform', 'cart-a', '--secret', 'a-secret-of-the-first-shop');
    const second = ['--platform', 'cart-a', '--name', 'the second'];
    await say('integration', 'set', ...second, '--secret', 'a-secret-of-the-second-shop');
    const forged = await fetch(`${url}/webhooks/${orgId}/cart-a?secret=of-nobody`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(forged.status).toBe(401);
    const { said } = await say('integration', 'list');
    const add = `integration add-secret --org ${orgId} --platform cart-a --name`;
    expect(said).toContain(`${add} main\n`);
    expect(said).toContain(`${add} 'the second'\n`);
    expect(said).not.toContain('integration set');
    expect(said).toMatch(/rejected requests that are kept: 1\. The last one: .*secret.*\n/);
  });

  it('a sample order as the shop that was set, where the platform has several', async () => {
    const { say, orgId } = await openCommands();
    const shop = ['--platform', 'cart-a', '--secret', 'a-secret-of-one-shop'];
    const simulate = `simulate cart-a --org ${orgId}`;
    expect((await say('integration', 'set', ...shop)).said).toContain(`${simulate} --sku`);
    const second = await say('integration', 'set', ...shop, '--name', 'the second');
    expect(second.said).toContain(`${simulate} --connection 'the second' --sku`);
  });
});

describe('user list', () => {
  it('shows the members of one organisation with their roles', async () => {
    const { say, read, orgId } = await openCommands();
    const email = `list-${orgId}@example.com`;
    await say('user', 'create', '--email', email, '--name', 'Ada', '--role', 'admin');
    const { code, said } = await say('user', 'list');
    expect([code, said]).toEqual([0, expect.stringContaining(`${email}, admin (Ada)`)]);
    expect(said).toContain(`user create --org ${orgId} --email `);
    const { users } = await read<{ users: readonly object[] }>('user', 'list');
    expect(users).toHaveLength(2);
    expect(users[1]).toEqual({
      id: expect.any(String),
      email,
      name: 'Ada',
      role: 'admin',
      createdAt: expect.any(String),
    });
  });
});

it.each(['sku', 'integration', 'user'])(
  '%s list refuses an organisation that does not exist',
  async (noun) => {
    const { settings } = await openCommands();
    expect(await runCliHere(settings, [noun, 'list', '--org', NOBODY])).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/--org \S+ is not an organisation of this installation.*org list/s),
    });
  },
);

import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { shareInFile } from '../../../test/undo.ts';
import { receiptsAmong } from './support/mail-server.ts';
import { runCliForJson, runCliHere } from './support/server-process.ts';
import { openOwnShop, startInstallation } from './support/shared-server.ts';
import { listPurchases } from './support/shop.ts';

const PLATFORMS = fileURLToPath(new URL('../../../examples/own-platform/src/index.ts', import.meta.url));
const SECRET = 'a-secret-of-the-market';

const shared = shareInFile(async () => {
  const opened = await openOwnShop(await startInstallation({ PLATFORMS }));
  const { environment, server, shop } = opened;
  const run = <T>(words: readonly string[]) =>
    runCliForJson<T>({ ...environment, SITE_URL: server.url }, words);
  const set = ['integration', 'set', '--org', shop.orgId, '--platform', 'gumtree', '--secret', SECRET];
  const { webhookUrl } = await run<{ webhookUrl: string }>(set);
  expect(webhookUrl).toBe(`${server.url}/webhooks/${shop.orgId}/gumtree`);
  return { ...opened, run, webhookUrl };
});

it('an order of another team’s platform is delivered by the server that was given its package', async () => {
  const { run, shop, server, mailServer, webhookUrl } = shared();
  const simulate = ['simulate', 'gumtree', '--org', shop.orgId, '--sku', 'felt-piano', '--redeliver'];
  const sent = await run<{ orderId: string; status: number }>(simulate);
  expect(sent).toMatchObject({ status: 200, entry: { status: 'success' }, again: { status: 200 } });
  const purchases = await listPurchases(server.url, shop.apiKey);
  expect(purchases).toMatchObject([{ orderId: sent.orderId, source: 'gumtree', productSlug: 'felt-piano' }]);
  await mailServer.waitForMails(1);
  expect(receiptsAmong(mailServer.mails)).toHaveLength(1);

  const forged = { method: 'POST', headers: { 'x-gumtree-signature': 'f'.repeat(64) }, body: '{}' };
  expect((await fetch(webhookUrl, forged)).status).toBe(401);
});

it('the API finds its entries, and takes a mapping for it alone', async () => {
  const { shop, server } = shared();
  const headers = { 'x-api-key': shop.apiKey, 'content-type': 'application/json' };
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${server.url}/api${path}`, { headers, ...init });
    return { status: response.status, body: await response.json() };
  };
  expect(await ask('/deliveries?platform=gumtree')).toMatchObject({
    status: 200,
    body: [{ platform: 'gumtree' }, { platform: 'gumtree' }],
  });
  const map = (platform: string) => ({
    method: 'PUT',
    body: JSON.stringify({ productId: shop.productId, platform }),
  });
  expect(await ask('/sku-mappings/93', map('gumtree'))).toMatchObject({
    status: 200,
    body: { platform: 'gumtree' },
  });
  const unknown = {
    status: 400,
    body: { error: expect.stringMatching(/“platform” must be storefront-a, .* gumtree.*\.$/) },
  };
  expect(await ask('/deliveries?platform=ebay')).toEqual(unknown);
  expect(await ask('/sku-mappings/93', map('ebay'))).toEqual(unknown);
});

it('pages call it by the name that its package gives, in lists, forms and the page of its connection', async () => {
  const { run, server, ownerEmail, webhookUrl } = shared();
  const { signInUrl } = await run<{ signInUrl: string }>(['sign-in-link', '--email', ownerEmail]);
  const fromHere = { 'sec-fetch-site': 'same-origin' };
  const signedIn = await fetch(signInUrl, { method: 'POST', headers: fromHere, redirect: 'manual' });
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const read = async (path: string) =>
    (await fetch(`${server.url}/dashboard${path}`, { headers: { cookie } })).text();
  for (const path of ['/settings/integrations', '/purchases', '/webhook-log', '/overview']) {
    expect([path, await read(path)]).toEqual([path, expect.stringContaining('Gumtree Market')]);
  }
  const page = await read('/settings/integrations/gumtree');
  expect(page).toContain(webhookUrl);
  expect(page).toContain('In Gumtree Market, add a webhook for paid orders.');

  const [, shop = ''] = /name="shop" value="([^"]+)"/.exec(page) ?? [];
  const [, token = ''] = /name="form-token" value="([^"]+)"/.exec(page) ?? [];
  const [, product = ''] = /<option value="([0-9a-f-]{36})"/.exec(page) ?? [];
  const tested = await fetch(`${server.url}/dashboard/settings/integrations/gumtree/test-order`, {
    ...{ method: 'POST', headers: { ...fromHere, cookie }, redirect: 'manual' },
    body: new URLSearchParams({ shop, product, 'form-token': token }),
  });
  expect([tested.status, tested.headers.get('location')]).toEqual([
    303,
    expect.stringMatching(/webhook-log\/[0-9a-f-]{36}$/),
  ]);
});

it('without its package, the command line knows no such platform', async () => {
  const { environment, shop } = shared();
  const words = ['integration', 'set', '--org', shop.orgId, '--platform', 'bazaar', '--secret', SECRET];
  const { code, stderr } = await runCliHere(environment, words);
  expect([code, stderr]).toEqual([1, expect.stringContaining('Choose one of storefront-a (Shopify)')]);
});

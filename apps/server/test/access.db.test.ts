import { expect, it } from 'vitest';
import { runCliForJson, runCliHere, startServer } from './support/server-process.ts';
import { makeOwnerEmail, openOwnShop, shareServer } from './support/shared-server.ts';
import { listPurchases, sendOrder, until } from './support/shop.ts';

const shared = shareServer();

it('a refreshed key is valid at once on every process, and the one before on none', async () => {
  const { environment, server, shop } = await openOwnShop(shared());
  const other = await startServer(environment);
  const words = ['user', 'create', '--email', 'a@lumen.test', '--org', shop.orgId, '--role', 'admin'];
  const { userId, apiKey } = await runCliForJson<{ userId: string; apiKey: string }>(environment, words);
  const status = async (url: string, key: string) =>
    (await fetch(`${url}/api/products`, { headers: { 'x-api-key': key } })).status;
  expect([await status(server.url, apiKey), await status(other.url, apiKey)]).toEqual([200, 200]);
  const refresh = ['user', 'refresh-key', '--user', userId];
  const { apiKey: fresh } = await runCliForJson<{ apiKey: string }>(environment, refresh);
  expect([await status(server.url, apiKey), await status(other.url, apiKey)]).toEqual([401, 401]);
  expect([await status(server.url, fresh), await status(other.url, fresh)]).toEqual([200, 200]);

  const byAddress = ['user', 'refresh-key', '--user', 'A@lumen.test'];
  const { apiKey: last } = await runCliForJson<{ apiKey: string }>(environment, byAddress);
  expect([await status(server.url, fresh), await status(server.url, last)]).toEqual([401, 200]);
  const unknown = await runCliHere(environment, ['user', 'refresh-key', '--user', 'b@lumen.test']);
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('give the address')]);
});

it('an expired subscription holds orders, closes the API and keeps the links of buyers working; renewing it delivers', async () => {
  const { environment, server, shop, mailServer } = await openOwnShop(shared());
  await sendOrder(server.url, shop.orgId, '1');
  const [bought] = await listPurchases(server.url, shop.apiKey);
  const subscription = (end: string) =>
    runCliForJson(environment, ['org', 'subscription', '--org', shop.orgId, '--expires-at', end]);
  await subscription('2020-01-01T00:00:00Z');

  const refused = await fetch(`${server.url}/api/products`, { headers: { 'x-api-key': shop.apiKey } });
  expect([refused.status, await refused.json()]).toEqual([
    403,
    { error: expect.stringMatching(/subscription/) },
  ]);
  expect((await sendOrder(server.url, shop.orgId, '2')).body.status).toBe('held');
  expect((await fetch(bought?.downloadUrl ?? '')).status).toBe(200);

  expect(await subscription('never')).toMatchObject({ expiresAt: null, released: 1 });
  await until(async () => (await listPurchases(server.url, shop.apiKey)).length === 2);
  await mailServer.waitForMails(2);
});

it('the end of a subscription must be a time with a zone', async () => {
  const { environment } = shared();
  const create = ['org', 'create', '--name', 'Lumen Audio', '--owner-email', makeOwnerEmail()];
  const { orgId } = await runCliForJson<{ orgId: string }>(environment, create);
  for (const end of [
    'tomorrow',
    '2027-01-31T10:00',
    '2027-13-01',
    '2027-02-30',
    '2027-02-30T00:00:00Z',
    '',
  ]) {
    const words = ['org', 'subscription', '--org', orgId, '--expires-at', end];
    const { code, stderr } = await runCliHere(environment, words);
    expect([end, code, stderr]).toEqual([end, 1, expect.stringContaining('2027-01-31T00:00:00Z, or never')]);
  }
});

it('a subscription that expires on a day lasts to the end of that day in UTC', async () => {
  const { environment } = shared();
  const create = ['org', 'create', '--name', 'Lumen Audio', '--owner-email', makeOwnerEmail()];
  const { orgId } = await runCliForJson<{ orgId: string }>(environment, create);
  const words = ['org', 'subscription', '--org', orgId, '--expires-at', '2096-12-31'];
  expect(await runCliForJson(environment, words)).toMatchObject({ expiresAt: '2097-01-01T00:00:00.000Z' });
});

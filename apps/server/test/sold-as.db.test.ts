import { expect, it } from 'vitest';
import { startMailServer } from './support/mail-server.ts';
import { runCliForJson, startServer } from './support/server-process.ts';
import { listPurchases, makeInstallation, openShop, sendOrder, until } from './support/shop.ts';

it('what was delivered stays with its order, though its SKU is said not to be ours afterwards', {
  timeout: 60_000,
}, async () => {
  const mailServer = await startMailServer();
  const environment = await makeInstallation(mailServer);
  const server = await startServer(environment);
  const shop = await openShop(environment, server.url);
  const sku = (...words: readonly string[]) =>
    runCliForJson(environment, ['sku', ...words, '--org', shop.orgId, '--sku', 'PAD-1']);
  const call = async (method: string, path: string): Promise<unknown> => {
    const headers = { 'x-api-key': shop.apiKey };
    return (await fetch(`${server.url}/api${path}`, { method, headers })).json();
  };
  const send = async () => (await sendOrder(server.url, shop.orgId, '1', { skus: ['PAD-1'] })).body;

  await sku('map', '--product', shop.productId);
  const { deliveryId } = await send();
  await until(async () => (await listPurchases(server.url, shop.apiKey))[0]?.receiptSentAt);
  await sku('ignore');
  const bought = { status: 'success', skus: [{ sku: 'PAD-1', outcome: 'already-delivered' }] };
  expect(await call('POST', `/deliveries/${deliveryId}/redeliver`)).toMatchObject(bought);
  expect(await call('GET', `/deliveries/${deliveryId}`)).toMatchObject(bought);
  expect((await send()).status).toBe('success');
  expect(await listPurchases(server.url, shop.apiKey)).toHaveLength(1);
  expect(mailServer.mails).toHaveLength(1);
});

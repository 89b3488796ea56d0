import { expect, it } from 'vitest';
import { startMailServer } from './support/mail-server.ts';
import { runCliForJson, startServer } from './support/server-process.ts';
import { listPurchases, makeInstallation, openShop, until } from './support/shop.ts';

const PLATFORMS = ['storefront-a', 'storefront-b', 'checkout-a', 'checkout-a-classic', 'cart-a'];

it('a signed order of each platform becomes one purchase and one mail, however often it comes', async () => {
  const mailServer = await startMailServer();
  const environment = await makeInstallation(mailServer);
  const server = await startServer(environment);
  const shop = await openShop(environment, server.url);
  const run = <T>(words: readonly string[]) =>
    runCliForJson<T>({ ...environment, SITE_URL: server.url }, words);
  for (const [at, platform] of PLATFORMS.entries()) {
    const shopOf = ['--org', shop.orgId];
    await run(['integration', 'set', ...shopOf, '--platform', platform, '--secret', `secret-of-${platform}`]);
    const sale = ['--sku', 'felt-piano', '--email', `buyer-${at}@example.com`, '--order', String(7000 + at)];
    for (const _ of [1, 2]) {
      const sent = await run<{ status: number }>(['simulate', platform, ...shopOf, ...sale]);
      expect([platform, sent.status]).toEqual([platform, 200]);
    }
  }
  const mails = await mailServer.waitForMails(PLATFORMS.length);
  const purchases = await until(async () => {
    const listed = await listPurchases(server.url, shop.apiKey);
    return listed.every(({ receiptSentAt }) => receiptSentAt) && listed.length === PLATFORMS.length && listed;
  });
  expect(purchases.map(({ customerEmail }) => customerEmail).sort()).toEqual(
    PLATFORMS.map((_, at) => `buyer-${at}@example.com`),
  );
  expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(PLATFORMS.length);
  expect(server.printed()).not.toContain('secret-of-');
}, 60_000);

it('the trial of a new storefront-b webhook is answered 200, and leaves nothing behind', async () => {
  const mailServer = await startMailServer();
  const environment = await makeInstallation(mailServer);
  const server = await startServer(environment);
  const shop = await openShop(environment, server.url);
  const ping = (body: string) =>
    fetch(`${server.url}/webhooks/${shop.orgId}/storefront-b`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    });
  const answer = await ping('webhook_id=17');
  expect([answer.status, await answer.json()]).toEqual([200, { received: true }]);
  expect((await ping('webhook_id=17&x=1')).status).toBe(401);
  const log = await fetch(`${server.url}/api/deliveries`, { headers: { 'x-api-key': shop.apiKey } });
  expect(await log.json()).toEqual([]);
});

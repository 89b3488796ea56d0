import { expect, it } from 'vitest';
import { startMailServer } from './support/mail-server.ts';
import { runCli, runCliForJson, startServer } from './support/server-process.ts';
import { openOwnShop, shareServer } from './support/shared-server.ts';
import {
  listPurchases,
  makeEmptyDatabase,
  makeInstallation,
  openShop,
  sendOrder,
  until,
} from './support/shop.ts';

const shared = shareServer();

it('a signed order becomes a purchase at once, and a mail with a link to the identical file', async () => {
  const { mailServer, server, shop, ownerEmail } = await openOwnShop(shared());
  const answer = await sendOrder(server.url, shop.orgId, '5001');
  expect(answer).toMatchObject({ status: 200, body: { received: true, status: 'pending' } });
  expect(await listPurchases(server.url, shop.apiKey)).toMatchObject([
    {
      orgId: shop.orgId,
      customerName: 'Ana Lima',
      customerEmail: 'ana@example.com',
      productId: shop.productId,
      productName: 'Felt Piano',
      productSlug: 'felt-piano',
      amount: '49.00',
      currency: 'EUR',
      paymentMethod: 'storefront-a',
      source: 'storefront-a',
      orderId: '5001',
      downloadUsedAt: null,
    },
  ]);

  const [mail] = await mailServer.waitForMails(1);
  expect(mail?.to).toMatchObject([{ address: 'ana@example.com' }]);
  expect(mail?.replyTo).toMatchObject([{ address: ownerEmail }]);
  const link = /http:\S+\/d\/[\w-]+/.exec(mail?.text ?? '')?.[0] ?? '';
  expect(link).toBe((await listPurchases(server.url, shop.apiKey))[0]?.downloadUrl);
  expect(mail?.html).toContain(link);
  const page = await fetch(link);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('felt-piano.zip')]);
  const file = await fetch(`${link}/files/1.0/felt-piano.zip`);
  expect(Buffer.from(await file.arrayBuffer()).equals(shop.file)).toBe(true);
  await until(async () => (await listPurchases(server.url, shop.apiKey))[0]?.receiptSentAt);
});

it('the same order twenty times at once, and again later, is one purchase and one mail', async () => {
  const { mailServer, server, shop } = await openOwnShop(shared());
  await Promise.all(Array.from({ length: 20 }, () => sendUntilTaken(server.url, shop.orgId)));
  await mailServer.waitForMails(1);
  await until(async () => (await listPurchases(server.url, shop.apiKey))[0]?.receiptSentAt);
  expect((await sendOrder(server.url, shop.orgId, '5001')).body.status).toBe('success');
  expect(await listPurchases(server.url, shop.apiKey)).toHaveLength(1);
  // Another order goes through the same queue: a second mail of the first order would arrive before its mail.
  await sendOrder(server.url, shop.orgId, '5002');
  const mails = await mailServer.waitForMails(2);
  expect(mails.map(({ text }) => /Order #(\d+)/.exec(text ?? '')?.[1])).toEqual(['5001', '5002']);
});

it('two servers on one database agree on one purchase and one mail', async () => {
  const { mailServer, environment, server, shop } = await openOwnShop(shared());
  const other = await startServer(environment);
  const urls = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? server.url : other.url));
  await Promise.all(urls.map((url) => sendUntilTaken(url, shop.orgId)));
  await until(async () => (await listPurchases(other.url, shop.apiKey))[0]?.receiptSentAt);
  expect(await listPurchases(server.url, shop.apiKey)).toHaveLength(1);
  await sendOrder(other.url, shop.orgId, '5002');
  const mails = await mailServer.waitForMails(2);
  expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(2);
});

it('requests that are forged, for another service or unreadable are refused, and the server stays up', async () => {
  const { server, shop, mailServer } = await openOwnShop(shared());
  const forged = await sendOrder(server.url, shop.orgId, '1', { secret: 'guessed' });
  expect(forged).toMatchObject({ status: 401, body: { error: expect.any(String) } });
  const nobody = await sendOrder(server.url, '01900000-0000-7000-8000-000000000000', '1');
  expect(nobody.status).toBe(404);
  expect((await sendOrder(server.url, 'no-uuid', '1')).status).toBe(404);
  const garbled = await sendOrder(server.url, shop.orgId, '1', { body: new TextEncoder().encode('{"id":') });
  expect(garbled).toMatchObject({ status: 400, body: { error: expect.any(String) } });
  for (const headers of [{}, { authorization: 'Bearer junk' }, { 'x-api-key': `${shop.apiKey}x` }]) {
    const answer = await fetch(`${server.url}/api/purchases`, { headers: headers as Record<string, string> });
    expect([answer.status, await answer.json()]).toEqual([401, { error: expect.any(String) }]);
  }
  expect(await listPurchases(server.url, shop.apiKey)).toEqual([]);
  expect(mailServer.mails).toEqual([]);
  expect((await sendOrder(server.url, shop.orgId, '2')).status).toBe(200);
  expect(server.printed()).not.toContain('the-signing-secret-of-the-shop');
  expect(server.printed()).not.toContain(shop.apiKey);
});

it('a web process and a worker process share the work', async () => {
  const mailServer = await startMailServer();
  // The first server creates the tables.
  const environment = await makeInstallation(mailServer, await makeEmptyDatabase());
  const web = await startServer({ ...environment, ROLE: 'web' });
  const shop = await openShop(environment, web.url);
  expect((await sendOrder(web.url, shop.orgId, '5001')).status).toBe(200);
  expect(mailServer.mails).toEqual([]);
  await startServer({ ...environment, ROLE: 'worker', SITE_URL: web.url });
  const [mail] = await mailServer.waitForMails(1);
  expect(mail?.text).toContain(`${web.url}/d/`);
});

it('simulate sends a genuine order to the running server', async () => {
  const { mailServer, environment, server, shop } = await openOwnShop(shared());
  const words = [
    'simulate',
    'storefront-a',
    '--org',
    shop.orgId,
    '--sku',
    'felt-piano',
    '--email',
    'jo@example.com',
  ];
  const { code, stdout } = await runCli({ ...environment, SITE_URL: server.url }, words);
  expect([code, stdout]).toEqual([0, expect.stringContaining('The server answered 200')]);
  const [mail] = await mailServer.waitForMails(1);
  expect(mail?.to).toMatchObject([{ address: 'jo@example.com' }]);
});

it('an order for a draft is held until the product is published, with nothing created', async () => {
  const { server, shop, environment } = await openOwnShop(shared());
  const headers = { authorization: `Bearer ${shop.apiKey}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ status: 'draft' });
  await fetch(`${server.url}/api/products/${shop.productId}`, { method: 'PUT', headers, body });
  const held = await sendOrder(server.url, shop.orgId, '5001');
  expect(held.body.status).toBe('held');
  const unknown = ['simulate', 'storefront-a', '--org', shop.orgId, '--sku', 'nobody-knows'];
  const simulated = await runCliForJson({ ...environment, SITE_URL: server.url }, unknown);
  expect(simulated).toMatchObject({ answer: { status: 'error' } });
  expect(await listPurchases(server.url, shop.apiKey)).toEqual([]);

  const published = JSON.stringify({ status: 'published' });
  await fetch(`${server.url}/api/products/${shop.productId}`, { method: 'PUT', headers, body: published });
  const again = () =>
    fetch(`${server.url}/api/deliveries/${held.body.deliveryId}/redeliver`, {
      method: 'POST',
      headers: { authorization: `Bearer ${shop.apiKey}` },
    });
  const answers = await Promise.all([again(), again(), again()]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  await until(async () => (await listPurchases(server.url, shop.apiKey))[0]?.receiptSentAt);
  expect(await (await again()).json()).toMatchObject({ status: 'success', note: 'Already delivered.' });
  expect(await listPurchases(server.url, shop.apiKey)).toHaveLength(1);
});

/** Retries as a shop would when the machine is too busy to answer in time. */
function sendUntilTaken(url: string, orgId: string): Promise<boolean> {
  return until(async () => (await sendOrder(url, orgId, '5001')).status === 200);
}

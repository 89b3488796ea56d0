import { expect, it } from 'vitest';
import { startMailServer } from './support/mail-server.ts';
import { openDatabase } from './support/open-database.ts';
import { runCliForJson, startServer } from './support/server-process.ts';
import { makeInstallation, openShop, sendOrder, setProductStatus, until } from './support/shop.ts';

it('entries whose release or settling was lost with the queue are run all the same', {
  timeout: 60_000,
}, async () => {
  const mailServer = await startMailServer();
  const environment = await makeInstallation(mailServer);
  const server = await startServer({ ...environment, ROLE: 'web' });
  const shop = await openShop(environment, server.url);
  const send = async (orderId: string) => (await sendOrder(server.url, shop.orgId, orderId)).body;
  const renew = (expires: string) =>
    runCliForJson(environment, ['org', 'subscription', '--org', shop.orgId, '--expires-at', expires]);

  await setProductStatus(server.url, shop.apiKey, shop.productId, 'draft');
  const [first, second] = [await send('1'), await send('1')];
  expect([first.status, second.status]).toEqual(['held', 'held']);
  await setProductStatus(server.url, shop.apiKey, shop.productId, 'published');
  const headers = { 'x-api-key': shop.apiKey };
  await fetch(`${server.url}/api/deliveries/${first.deliveryId}/redeliver`, { method: 'POST', headers });
  await renew('2020-01-01T00:00:00Z');
  expect((await send('2')).status).toBe('held');
  await renew('never');

  const database = await openDatabase(environment.DATABASE_URL);
  const { rows } = await database.query(
    `delete from pgboss.job where name in ('fulfil-delivery', 'settle-delivery') returning name`,
  );
  expect(rows.map(({ name }) => name).sort()).toEqual(['fulfil-delivery', 'settle-delivery']);
  await database.query(`update reruns set due_at = due_at - interval '6 minutes'`);
  await database.query('update turns set due_at = now()');
  const worker = await startServer({ ...environment, ROLE: 'worker', SITE_URL: server.url });
  expect(JSON.parse(await worker.waitForLine(/lost jobs put back/))).toMatchObject({ reruns: 2 });
  await until(async () => {
    const answer = await fetch(`${server.url}/api/deliveries`, { headers });
    const entries = (await answer.json()) as readonly { readonly status: string }[];
    return entries.length === 3 && entries.every(({ status }) => status === 'success');
  });
  expect((await mailServer.waitForMails(2)).length).toBe(2);
  expect((await database.query('select from reruns')).rows).toEqual([]);
});

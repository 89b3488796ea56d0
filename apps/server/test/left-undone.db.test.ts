import { expect, it } from 'vitest';
import { openDatabase } from './support/open-database.ts';
import { type Environment, runCliForJson, startServer } from './support/server-process.ts';
import { openOwnShop, shareServer } from './support/shared-server.ts';
import { listPurchases, sendOrder, setProductStatus, until } from './support/shop.ts';

/** It serves and leaves the jobs to workers, of which there is none until a test starts one. */
const web = shareServer({ ROLE: 'web' });

/** A worker that looks for what was left undone as soon as it is there. */
async function startWorker(settings: Environment = {}) {
  const { environment, server } = web();
  const database = await openDatabase(environment.DATABASE_URL);
  await database.query('update turns set due_at = now()');
  return startServer({ ...environment, ROLE: 'worker', SITE_URL: server.url, ...settings });
}

it('orders, receipts and alerts whose jobs are gone are done all the same', async () => {
  const { mailServer, environment, server, shop, ownerEmail } = await openOwnShop(web());
  const send = async (orderId: string, sku: string) =>
    (await sendOrder(server.url, shop.orgId, orderId, { skus: [sku] })).body;
  expect((await send('1', 'felt-piano')).status).toBe('pending');
  expect((await send('2', 'nobody-knows')).status).toBe('error');
  expect(mailServer.mails).toEqual([]);
  const database = await openDatabase(environment.DATABASE_URL);
  const change = (statement: string) => database.query(statement, [shop.orgId]);
  const { rowCount } = await change(`delete from pgboss.job where data->>'orgId' = $1`);
  expect(rowCount).toBe(2);
  for (const table of ['receipts', 'alert_mails']) {
    await change(`update ${table} set next_try_at = next_try_at - interval '7 minutes' where org_id = $1`);
  }
  await change(`update alerts set at = at - interval '7 minutes' where org_id = $1`);
  const worker = await startWorker();
  const mails = await mailServer.waitForMails(2);
  expect(mails.map(({ to }) => to?.[0]?.address).sort()).toEqual(['ana@example.com', ownerEmail]);
  await until(async () => (await listPurchases(server.url, shop.apiKey))[0]?.receiptSentAt);
  const line = await worker.waitForLine(/lost jobs put back/);
  expect(JSON.parse(line)).toMatchObject({ deliveries: 0, receipts: 1, alertMails: 1 });
});

it('entries whose release or settling was lost with the queue are run all the same', async () => {
  const { mailServer, environment, server, shop } = await openOwnShop(web());
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
    `delete from pgboss.job
     where name in ('fulfil-delivery', 'settle-delivery') and data->>'orgId' = $1 returning name`,
    [shop.orgId],
  );
  expect(rows.map(({ name }) => name).sort()).toEqual(['fulfil-delivery', 'settle-delivery']);
  await database.query(`update reruns set due_at = due_at - interval '6 minutes'`);
  const worker = await startWorker();
  expect(JSON.parse(await worker.waitForLine(/lost jobs put back/))).toMatchObject({ reruns: 2 });
  await until(async () => {
    const answer = await fetch(`${server.url}/api/deliveries`, { headers });
    const entries = (await answer.json()) as readonly { readonly status: string }[];
    return entries.length === 3 && entries.every(({ status }) => status === 'success');
  });
  expect((await mailServer.waitForMails(2)).length).toBe(2);
  expect((await database.query('select from reruns')).rows).toEqual([]);
});

it('a body that is older than the setting is gone, and delivering it again says so', async () => {
  const { environment, server, shop } = await openOwnShop(web());
  const { body } = await sendOrder(server.url, shop.orgId, '1', { skus: ['nobody-knows'] });
  const call = async (method: string, path: string): Promise<unknown> => {
    const headers = { 'x-api-key': shop.apiKey };
    return (await fetch(`${server.url}/api${path}`, { method, headers })).json();
  };
  const database = await openDatabase(environment.DATABASE_URL);
  const age = `update delivery_bodies set received_at = now() - interval '31 days' where org_id = $1`;
  await database.query(age, [shop.orgId]);
  const worker = await startWorker({ BODY_RETENTION_DAYS: '30' });
  await worker.waitForLine(/old bodies removed/);
  expect(await call('POST', `/deliveries/${body.deliveryId}/redeliver`)).toEqual({
    error: expect.stringContaining('was removed because of its age'),
  });
  expect(await call('GET', `/deliveries/${body.deliveryId}`)).toMatchObject({
    status: 'error',
    skus: [{ sku: 'nobody-knows' }],
  });
});

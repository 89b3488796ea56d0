import type pg from 'pg';
import { describe, expect, it } from 'vitest';
import { shareInFile } from '../../../test/undo.ts';
import { openDatabase } from './support/open-database.ts';
import { startServer } from './support/server-process.ts';
import { type Installation, openOwnShop, shareServer, startInstallation } from './support/shared-server.ts';
import { listPurchases, sendOrder, until } from './support/shop.ts';

async function openRepairedShop(installation: Installation) {
  const { mailServer, environment, server, shop, ownerEmail } = await openOwnShop(installation);
  const send = async (orderId: string, sku: string) =>
    (await sendOrder(server.url, shop.orgId, orderId, { skus: [sku] })).body;
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${server.url}/api${path}`, {
      method,
      headers: { 'x-api-key': shop.apiKey, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return (await response.json()) as unknown;
  };
  const entries = async () =>
    (await call('GET', '/deliveries')) as readonly { readonly id: string; readonly status: string }[];
  const listAlertMails = () =>
    mailServer.mails.filter(({ to }) => to?.some(({ address }) => address === ownerEmail));
  return { mailServer, environment, server, shop, ownerEmail, send, call, entries, listAlertMails };
}

/** Moves every alert of the organisation more than a minute back, and makes its job due. */
async function passMinute(database: pg.Client, orgId: string): Promise<void> {
  await database.query(`
    begin;
    update alerts set at = at - interval '61 seconds' where org_id = '${orgId}';
    update outgoing_emails set next_try_at = next_try_at - interval '61 seconds'
    where org_id = '${orgId}' and subject = 'collecting';
    update jobs set due_at = now() where lane = 'mails' and org_id = '${orgId}';
    commit;
  `);
}

const isAlert = `kind = 'alert'`;

const shared = shareServer();

it('the owner gets one alert for an unmatched order, and none for a held or repeated one', async () => {
  const { mailServer, environment, shop, ownerEmail, server, send, call, listAlertMails } =
    await openRepairedShop(shared());
  await call('PUT', `/products/${shop.productId}`, { status: 'draft' });
  expect((await send('1', 'felt-piano')).status).toBe('held');
  const { deliveryId = '', status } = await send('2', 'nobody-knows');
  expect(status).toBe('error');
  await passMinute(await openDatabase(environment.DATABASE_URL), shop.orgId);
  const [mail] = await mailServer.waitForMails(1);
  expect(mail?.subject).toBe('Order #2 was not delivered · Lumen Audio');
  expect(mail?.to).toMatchObject([{ address: ownerEmail }]);
  expect(mail?.text).toContain(`${server.url}/dashboard/webhook-log/${deliveryId}`);
  expect(mail?.text).toContain('nobody-knows');
  expect((await send('2', 'nobody-knows')).status).toBe('error');
  expect(await call('POST', `/deliveries/${deliveryId}/redeliver`)).toMatchObject({ status: 'error' });
  await call('PUT', `/products/${shop.productId}`, { status: 'published' });
  // By then, any mail that preceded this receipt has arrived.
  expect((await send('3', 'felt-piano')).status).toBe('pending');
  await mailServer.waitForMails(2);
  expect(listAlertMails()).toHaveLength(1);
});

it('an unreadable body causes an alert, and its mail contains no part of the signature', async () => {
  const { mailServer, environment, server, shop } = await openRepairedShop(shared());
  const body = new TextEncoder().encode('{"id":');
  expect((await sendOrder(server.url, shop.orgId, '1', { body })).status).toBe(400);
  await passMinute(await openDatabase(environment.DATABASE_URL), shop.orgId);
  const [mail] = await mailServer.waitForMails(1);
  expect(mail?.subject).toBe('A delivery from Shopify could not be read · Lumen Audio');
  expect(mail?.text).not.toContain('the-signing-secret-of-the-shop');
});

it('a flood of failing orders causes one mail, and a second with all the others a quarter of an hour later', async () => {
  const { mailServer, environment, shop, send, listAlertMails } = await openRepairedShop(shared());
  const ofShop = `org_id = '${shop.orgId}'`;
  const jobIsOfShop = `lane = 'mails' and org_id = '${shop.orgId}'`;
  const database = await openDatabase(environment.DATABASE_URL);
  await send('0', 'nobody-knows');
  await passMinute(database, shop.orgId);
  await mailServer.waitForMails(1);
  await until(async () => {
    const { rows } = await database.query(
      `select from outgoing_emails where ${isAlert} and status = 'sent' and ${ofShop}`,
    );
    return rows.length === 1;
  });
  await Promise.all(Array.from({ length: 30 }, (_, at) => send(`${at + 1}`, 'nobody-knows')));
  // Orders that a busy machine did not finish in the request are finished by their jobs.
  const countAlerts = async () => (await database.query(`select from alerts where ${ofShop}`)).rows.length;
  await until(async () => (await countAlerts()) === 31, 30_000);
  await passMinute(database, shop.orgId);
  // The job ran, and found that it is too early.
  await until(async () => {
    const { rows } = await database.query(
      `select from jobs where ${jobIsOfShop} and lease_id is null and due_at > now() + interval '5 minutes'`,
    );
    return rows.length === 1;
  });
  expect(listAlertMails()).toHaveLength(1);
  await database.query(
    `update outgoing_emails set last_answer_at = last_answer_at - interval '15 minutes' where ${isAlert} and ${ofShop}`,
  );
  await database.query(`update jobs set due_at = now() where ${jobIsOfShop}`);
  await mailServer.waitForMails(2);
  const digest = listAlertMails()[1];
  expect(digest?.subject).toBe('30 deliveries failed · Lumen Audio');
  expect(digest?.text).toContain('And 10 more.');
  expect(digest?.messageId).not.toBe(listAlertMails()[0]?.messageId);
});

it('nine held entries of one order are completed by the release of one, with one purchase and one mail', async () => {
  const { mailServer, server, shop, send, call, entries } = await openRepairedShop(shared());
  await call('PUT', `/products/${shop.productId}`, { status: 'draft' });
  for (let number = 0; number < 9; number += 1) {
    expect((await send('727', 'felt-piano')).status).toBe('held');
  }
  await call('PUT', `/products/${shop.productId}`, { status: 'published' });
  const released = (await entries())[4];
  expect(await call('POST', `/deliveries/${released?.id}/redeliver`)).toMatchObject({ status: 'pending' });
  await until(async () => (await entries()).every(({ status }) => status === 'success'));
  expect(await entries()).toHaveLength(9);
  expect(await listPurchases(server.url, shop.apiKey)).toHaveLength(1);
  expect((await send('728', 'felt-piano')).status).toBe('pending');
  const mails = await mailServer.waitForMails(2);
  expect(mails.map(({ text }) => /Order #(\d+)/.exec(text ?? '')?.[1])).toEqual(['727', '728']);
});

describe('a server killed after an order failed, with the mail server away', () => {
  // One crash and one restart serve all of these shops.
  const restarted = shareInFile(async () => {
    const installation = await startInstallation();
    const { environment, mailServer, server } = installation;
    const shops = { alerted: await openOwnShop(installation), delivered: await openOwnShop(installation) };
    await mailServer.stop();
    for (const { shop } of Object.values(shops)) {
      const sent = await sendOrder(server.url, shop.orgId, '1', { skus: ['nobody-knows'] });
      expect(sent.body.status).toBe('error');
    }
    await server.end('SIGKILL');
    await mailServer.start();
    return { environment, shops, again: await startServer(environment) };
  });

  it('sends its alert after its restart, once', async () => {
    const { environment, shops } = restarted();
    const { shop, mailServer, ownerEmail } = shops.alerted;
    const database = await openDatabase(environment.DATABASE_URL);
    await passMinute(database, shop.orgId);
    await mailServer.waitForMails(1);
    const sent = `select from outgoing_emails where ${isAlert} and status = 'sent' and org_id = '${shop.orgId}'`;
    await until(async () => (await database.query(sent)).rows.length === 1);
    expect(mailServer.mails).toMatchObject([{ to: [{ address: ownerEmail }] }]);
  });

  it('sends no alert for a failed line if the next line of its order is delivered then', async () => {
    const { environment, shops, again } = restarted();
    const { shop, mailServer } = shops.delivered;
    const line = await sendOrder(again.url, shop.orgId, '1', { skus: ['felt-piano'] });
    expect(line.body.status).toBe('pending');
    const database = await openDatabase(environment.DATABASE_URL);
    const countOf = async (table: string) =>
      (await database.query(`select from ${table} where org_id = '${shop.orgId}'`)).rows.length;
    expect(await countOf('alerts')).toBe(1);
    await passMinute(database, shop.orgId);
    await until(async () => (await countOf(`(select * from outgoing_emails where ${isAlert})`)) === 0);
    expect(await countOf('alerts')).toBe(0);
    expect(await mailServer.waitForMails(1)).toMatchObject([{ to: [{ address: 'ana@example.com' }] }]);
  });
});

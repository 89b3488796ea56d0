import { sampleOrder } from '@handover/platform-storefront-a/testing';
import type pg from 'pg';
import { expect, it, vi } from 'vitest';
import { startMailServer } from './support/mail-server.ts';
import { openDatabase } from './support/open-database.ts';
import { startServer } from './support/server-process.ts';
import { listPurchases, makeInstallation, openShop, sendOrder, until } from './support/shop.ts';

// Each opens a shop by command line, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const OWNER = 'owner@lumen.test';

async function runningShop(changes: { readonly role?: string } = {}) {
  const mailServer = await startMailServer();
  const environment = await makeInstallation(mailServer);
  const server = await startServer({ ...environment, ROLE: changes.role ?? 'all' });
  const shop = await openShop(environment, server.url);
  const send = async (orderId: string, sku: string) => {
    const email = 'ana@example.com';
    const body = sampleOrder({ id: orderId, name: `#${orderId}`, email, contact_email: email }, [{ sku }]);
    return (await sendOrder(server.url, shop.orgId, orderId, { body })).body;
  };
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
  const mailsTo = (address: string) =>
    mailServer.mails.filter(({ to }) => to?.some((recipient) => recipient.address === address));
  return { mailServer, environment, server, shop, send, call, entries, mailsTo };
}

/** A minute and more passes for every alert there is, and its job looks at once. */
async function passMinute(database: pg.Client): Promise<void> {
  await database.query(`
    begin;
    update alerts set at = at - interval '61 seconds';
    update alert_mails set next_try_at = next_try_at - interval '61 seconds' where status = 'collecting';
    update pgboss.job set start_after = now() where name = 'send-alerts' and state = 'created';
    commit;
  `);
}

it('an order of which nothing is known is told to the owner once; a held one, and the same again, are not', async () => {
  const { mailServer, environment, shop, server, send, call, mailsTo } = await runningShop();
  await call('PUT', `/products/${shop.productId}`, { status: 'draft' });
  expect((await send('1', 'felt-piano')).status).toBe('held');
  const { deliveryId = '', status } = await send('2', 'nobody-knows');
  expect(status).toBe('error');
  await passMinute(await openDatabase(environment.DATABASE_URL));
  const [mail] = await mailServer.waitForMails(1);
  expect(mail?.subject).toBe('Order #2 was not delivered · Lumen Audio');
  expect(mail?.to).toMatchObject([{ address: OWNER }]);
  expect(mail?.text).toContain(`${server.url}/dashboard/webhook-log/${deliveryId}`);
  expect(mail?.text).toContain('nobody-knows');
  expect((await send('2', 'nobody-knows')).status).toBe('error');
  expect(await call('POST', `/deliveries/${deliveryId}/redeliver`)).toMatchObject({ status: 'error' });
  await call('PUT', `/products/${shop.productId}`, { status: 'published' });
  // What would have been sent before this receipt is here by then.
  expect((await send('3', 'felt-piano')).status).toBe('pending');
  await mailServer.waitForMails(2);
  expect(mailsTo(OWNER)).toHaveLength(1);
});

it('a body that cannot be read is told, and nothing of the signature is in the mail', async () => {
  const { mailServer, environment, server, shop } = await runningShop();
  const body = new TextEncoder().encode('{"id":');
  expect((await sendOrder(server.url, shop.orgId, '1', { body })).status).toBe(400);
  await passMinute(await openDatabase(environment.DATABASE_URL));
  const [mail] = await mailServer.waitForMails(1);
  expect(mail?.subject).toBe('A delivery from storefront-a could not be read · Lumen Audio');
  expect(mail?.text).not.toContain('the-signing-secret-of-the-shop');
});

it('a flood of failing orders is one mail, and one with all the others a quarter of an hour later', async () => {
  const { mailServer, environment, send, mailsTo } = await runningShop();
  const database = await openDatabase(environment.DATABASE_URL);
  await send('0', 'nobody-knows');
  await passMinute(database);
  await mailServer.waitForMails(1);
  await until(async () => {
    const { rows } = await database.query(`select from alert_mails where status = 'sent'`);
    return rows.length === 1;
  });
  await Promise.all(Array.from({ length: 30 }, (_, at) => send(`${at + 1}`, 'nobody-knows')));
  // Orders that a busy machine did not get done in the request are done by their jobs.
  await until(async () => (await database.query('select from alerts')).rows.length === 31, 30_000);
  await passMinute(database);
  // The job has looked, and found that it is too early.
  await until(async () => {
    const { rows } = await database.query(
      `select from pgboss.job where name = 'send-alerts' and state = 'created' and start_after > now() + interval '5 minutes'`,
    );
    return rows.length === 1;
  });
  expect(mailsTo(OWNER)).toHaveLength(1);
  await database.query(`update alert_mails set settled_at = settled_at - interval '15 minutes'`);
  await database.query(`update pgboss.job set start_after = now() where name = 'send-alerts'`);
  await mailServer.waitForMails(2);
  const digest = mailsTo(OWNER)[1];
  expect(digest?.subject).toBe('30 deliveries failed · Lumen Audio');
  expect(digest?.text).toContain('And 10 more.');
  expect(digest?.messageId).not.toBe(mailsTo(OWNER)[0]?.messageId);
});

it('nine held entries of one order are settled by the release of one, with one purchase and one mail', async () => {
  const { mailServer, server, shop, send, call, entries } = await runningShop();
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

it('orders, receipts and alerts whose jobs are gone are done all the same', async () => {
  const { mailServer, environment, server, shop, send, mailsTo } = await runningShop({ role: 'web' });
  const database = await openDatabase(environment.DATABASE_URL);
  expect((await send('1', 'felt-piano')).status).toBe('pending');
  expect((await send('2', 'nobody-knows')).status).toBe('error');
  expect(mailServer.mails).toEqual([]);
  const { rowCount } = await database.query('delete from pgboss.job');
  expect(rowCount).toBe(2);
  for (const table of ['receipts', 'alert_mails']) {
    await database.query(`update ${table} set next_try_at = next_try_at - interval '7 minutes'`);
  }
  await database.query(`update alerts set at = at - interval '7 minutes'`);
  const worker = await startServer({ ...environment, ROLE: 'worker', SITE_URL: server.url });
  await mailServer.waitForMails(2);
  expect(mailsTo(OWNER)).toHaveLength(1);
  await until(async () => (await listPurchases(server.url, shop.apiKey))[0]?.receiptSentAt);
  const line = await worker.waitForLine(/lost jobs put back/);
  expect(JSON.parse(line)).toMatchObject({ deliveries: 0, receipts: 1, alertMails: 1 });
});

it('a server killed before its alert was mailed sends it after its restart, once', async () => {
  const { mailServer, environment, server, send, mailsTo } = await runningShop();
  await mailServer.stop();
  expect((await send('1', 'nobody-knows')).status).toBe('error');
  await server.end('SIGKILL');
  await mailServer.start();
  await startServer(environment);
  const database = await openDatabase(environment.DATABASE_URL);
  await passMinute(database);
  await mailServer.waitForMails(1);
  await until(
    async () => (await database.query(`select from alert_mails where status = 'sent'`)).rows.length === 1,
  );
  expect(mailsTo(OWNER)).toHaveLength(1);
});

it('a line that fails is told to nobody when the next line of its order is delivered, whoever dies in between', async () => {
  const { mailServer, environment, server, shop, send, mailsTo } = await runningShop();
  expect((await send('1', 'nobody-knows')).status).toBe('error');
  await server.end('SIGKILL');
  const again = await startServer(environment);
  const line = await sendOrder(again.url, shop.orgId, '1', { skus: ['felt-piano'] });
  expect(line.body.status).toBe('pending');
  const database = await openDatabase(environment.DATABASE_URL);
  const countOf = async (table: string) =>
    (await database.query<{ count: string }>(`select count(*) from ${table}`)).rows[0]?.count;
  expect(await countOf('alerts')).toBe('1');
  await passMinute(database);
  await until(async () => (await countOf('alert_mails')) === '0');
  expect(await countOf('alerts')).toBe('0');
  expect((await mailServer.waitForMails(1)).length).toBe(1);
  expect(mailsTo(OWNER)).toEqual([]);
});

it('a body that is older than the setting is gone, and delivering it again says so', async () => {
  const { environment, send, call, server } = await runningShop({ role: 'web' });
  const { deliveryId = '' } = await send('1', 'nobody-knows');
  const database = await openDatabase(environment.DATABASE_URL);
  const age = async (days: number) => {
    await database.query(`update delivery_bodies set received_at = now() - make_interval(days => $1)`, [
      days,
    ]);
    await database.query('update turns set due_at = now()');
  };
  await age(31);
  const worker = await startServer({
    ...environment,
    ROLE: 'worker',
    SITE_URL: server.url,
    BODY_RETENTION_DAYS: '30',
  });
  await worker.waitForLine(/old bodies removed/);
  expect(await call('POST', `/deliveries/${deliveryId}/redeliver`)).toEqual({
    error: expect.stringContaining('was removed because of its age'),
  });
  expect(await call('GET', `/deliveries/${deliveryId}`)).toMatchObject({
    status: 'error',
    skus: [{ sku: 'nobody-knows' }],
  });
});

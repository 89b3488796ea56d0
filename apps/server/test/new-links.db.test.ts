import pg from 'pg';
import { expect, it } from 'vitest';
import { startMailServer } from './support/mail-server.ts';
import { startServer } from './support/server-process.ts';
import { listPurchases, makeInstallation, openShop, sendOrder, until } from './support/shop.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

async function runningShop() {
  const mailServer = await startMailServer();
  const environment = await makeInstallation(mailServer);
  const server = await startServer(environment);
  return { mailServer, environment, server, shop: await openShop(environment, server.url) };
}

/** Every link in a text, once. */
function linksIn(text: string | undefined): readonly string[] {
  return [...new Set((text ?? '').match(/http:\S+\/d\/[\w-]+/g) ?? [])];
}

async function statusOf(url: string | undefined): Promise<number> {
  return (await fetch(url ?? '')).status;
}

it('the button of an expired link mails a new one; the old one stays dead', async () => {
  const { mailServer, environment, server, shop } = await runningShop();
  await sendOrder(server.url, shop.orgId, '5001');
  const [receipt] = await mailServer.waitForMails(1);
  const [old] = linksIn(receipt?.text);
  expect(receipt?.text).toContain(`${server.url}/my`);
  await until(async () => (await listPurchases(server.url, shop.apiKey))[0]?.receiptSentAt);
  const database = new pg.Client({ connectionString: environment.DATABASE_URL });
  await database.connect();
  await database.query(`update download_links set expires_at = now() - interval '1 minute'`);
  await database.end();
  expect(await statusOf(old)).toBe(410);
  const pressed = await fetch(`${old}/new-link`, { method: 'POST', headers: FORM });
  expect([pressed.status, await pressed.text()]).toEqual([200, expect.stringContaining('a…@example.com')]);
  const [, mail] = await mailServer.waitForMails(2);
  expect(mail?.subject).toBe('Your new link: Felt Piano');
  const [fresh] = linksIn(mail?.text);
  expect(fresh).not.toBe(old);
  expect([await statusOf(fresh), await statusOf(old)]).toEqual([200, 410]);
});

it('/my mails links to what was bought at every organisation, and nothing to anyone else', async () => {
  const { mailServer, environment, server, shop } = await runningShop();
  const other = await openShop(environment, server.url, 'owner@nocturne.test');
  await sendOrder(server.url, shop.orgId, '5001');
  await sendOrder(server.url, shop.orgId, '5002');
  await sendOrder(server.url, other.orgId, '6001');
  const old = (await mailServer.waitForMails(3)).flatMap(({ text }) => linksIn(text));
  const ask = (email: string) =>
    fetch(`${server.url}/my`, { method: 'POST', headers: FORM, body: new URLSearchParams({ email }) });
  expect((await ask('nobody@example.com')).status).toBe(200);
  expect((await ask('ANA@example.com')).status).toBe(200);
  const mails = await mailServer.waitForMails(4);
  const mail = mails.at(-1);
  expect(mail?.to).toMatchObject([{ address: 'ana@example.com' }]);
  const fresh = linksIn(mail?.text);
  expect(fresh).toHaveLength(3);
  expect(old.some((link) => fresh.includes(link))).toBe(false);
  for (const link of [...fresh, ...old]) expect(await statusOf(link)).toBe(200);
});

import { expect, it } from 'vitest';
import { openDatabase } from './support/open-database.ts';
import { openOwnShop, shareServer } from './support/shared-server.ts';
import { listPurchases, sendOrder, until } from './support/shop.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const shared = shareServer();

/** Every link in a text, once. */
function linksIn(text: string | undefined): readonly string[] {
  return [...new Set((text ?? '').match(/http:\S+\/d\/[\w-]+/g) ?? [])];
}

async function statusOf(url: string | undefined): Promise<number> {
  return (await fetch(url ?? '')).status;
}

it('the button of an expired link mails a new one; the old link stays expired', async () => {
  const { mailServer, environment, server, shop } = await openOwnShop(shared());
  await sendOrder(server.url, shop.orgId, '5001');
  const [receipt] = await mailServer.waitForMails(1);
  const [old] = linksIn(receipt?.text);
  expect(receipt?.text).toContain(`${server.url}/my`);
  await until(async () => (await listPurchases(server.url, shop.apiKey))[0]?.receiptSentAt);
  const database = await openDatabase(environment.DATABASE_URL);
  const expire = `update download_links set expires_at = now() - interval '1 minute' where org_id = $1`;
  await database.query(expire, [shop.orgId]);
  expect(await statusOf(old)).toBe(410);
  const pressed = await fetch(`${old}/new-link`, { method: 'POST', headers: FORM });
  expect([pressed.status, await pressed.text()]).toEqual([
    200,
    expect.stringContaining('a…\u2060@example.com'),
  ]);
  const [, mail] = await mailServer.waitForMails(2);
  expect(mail?.subject).toBe('Your new link: Felt Piano');
  const [fresh] = linksIn(mail?.text);
  expect(fresh).not.toBe(old);
  expect([await statusOf(fresh), await statusOf(old)]).toEqual([200, 410]);
});

it('/my mails links to the purchases of an address at every organisation, and nothing to other addresses', async () => {
  const { server, shop } = await openOwnShop(shared());
  const { shop: other } = await openOwnShop(shared());
  const email = 'bo@example.com';
  await sendOrder(server.url, shop.orgId, '5001', { email });
  await sendOrder(server.url, shop.orgId, '5002', { email });
  await sendOrder(server.url, other.orgId, '6001', { email });
  const mailbox = shared().mailServer.of(email);
  const old = (await mailbox.waitForMails(3)).flatMap(({ text }) => linksIn(text));
  const ask = (address: string) =>
    fetch(`${server.url}/my`, {
      method: 'POST',
      headers: FORM,
      body: new URLSearchParams({ email: address }),
    });
  expect((await ask('nobody@example.com')).status).toBe(200);
  expect((await ask('BO@example.com')).status).toBe(200);
  const mails = await mailbox.waitForMails(4);
  const mail = mails.at(-1);
  expect(mail?.to).toMatchObject([{ address: email }]);
  const fresh = linksIn(mail?.text);
  expect(fresh).toHaveLength(3);
  expect(old.some((link) => fresh.includes(link))).toBe(false);
  for (const link of [...fresh, ...old]) expect(await statusOf(link)).toBe(200);
  const [library = ''] = /https?:\S+\/my\/\S+/.exec(mail?.text ?? '') ?? [];
  const page = await fetch(library);
  expect([page.status, (await page.text()).match(/<h3>/g)]).toEqual([200, ['<h3>', '<h3>', '<h3>']]);
  const cookie = page.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const again = await fetch(`${server.url}/my`, { headers: { cookie }, redirect: 'manual' });
  expect([again.status, again.headers.get('location')]).toEqual([303, new URL(library).pathname]);
});

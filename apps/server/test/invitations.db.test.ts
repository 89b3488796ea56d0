import { expect, it } from 'vitest';
import type { Environment } from './support/server-process.ts';
import { runCliForJson } from './support/server-process.ts';
import { openOwnShop, shareServer, startInstallation } from './support/shared-server.ts';
import { sendOrder, until } from './support/shop.ts';

const shared = shareServer({ MAX_MAILS_PER_HOUR: '1000' });

/** A browser, as far as a form needs one, signed in as the user of an address. */
async function signIn(environment: Environment, url: string, email: string) {
  const { signInUrl } = await runCliForJson<{ signInUrl: string }>({ ...environment, SITE_URL: url }, [
    'sign-in-link',
    '--email',
    email,
  ]);
  const path = new URL(signInUrl).pathname;
  return browse(url, cookieOf(await post(url, path, {})));
}

function browse(url: string, cookie: string) {
  const get = (path: string) => fetch(`${url}${path}`, { headers: { cookie }, redirect: 'manual' });
  return {
    get,
    submit: async (path: string, fields: Record<string, string>) => {
      const token = /name="form-token" value="([^"]+)"/.exec(await (await get(path)).text())?.[1] ?? '';
      return post(url, path, { 'form-token': token, ...fields }, cookie);
    },
  };
}

function post(url: string, path: string, fields: Record<string, string>, cookie = '') {
  const headers = { 'sec-fetch-site': 'same-origin', cookie };
  return fetch(`${url}${path}`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(fields),
    redirect: 'manual',
  });
}

function cookieOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

it('an invitation is mailed, accepted by its link once, and the user’s former API key ends', async () => {
  const { environment, server, ownerEmail, shop } = await openOwnShop(shared());
  const email = `bea-${ownerEmail}`;
  const loose = ['user', 'create', '--email', email, '--name', 'Bea'];
  const { apiKey: former } = await runCliForJson<{ apiKey: string }>(environment, loose);
  const owner = await signIn(environment, server.url, ownerEmail);
  const invited = await owner.submit('/dashboard/settings/team/invite', { email, name: '', role: 'admin' });
  expect(invited.status).toBe(303);
  const [mail] = await shared().mailServer.of(email).waitForMails(1);
  expect(mail?.subject).toBe(`${ownerEmail} invites you to Lumen Audio on Handover`);
  const [link = ''] = /http\S+\/dashboard\/invitations\/[\w-]{88}/.exec(mail?.text ?? '') ?? [];
  const path = new URL(link).pathname;
  expect(await (await fetch(`${server.url}${path}`)).text()).toContain('Accept the invitation');
  const [first, second] = await Promise.all([post(server.url, path, {}), post(server.url, path, {})]);
  expect([first.status, second.status].sort()).toEqual([200, 303]);
  const bea = browse(server.url, cookieOf(first.status === 303 ? first : second));
  // A long address may be broken anywhere in its column.
  const team = await (await bea.get('/dashboard/settings/team')).text();
  expect(team.replaceAll('<wbr>', '')).toContain(email);
  const keyPage = await (await bea.get('/dashboard/settings/api-key?show')).text();
  const key = /<code>([^<]+)</.exec(keyPage)?.[1] ?? '';
  const call = async (apiKey: string) =>
    (await fetch(`${server.url}/api/products`, { headers: { 'x-api-key': apiKey } })).status;
  expect([await call(former), await call(key)]).toEqual([401, 200]);
  expect(shop.apiKey).not.toBe(key);
});

it('the command line makes a user of no organisation a member at once, with another key', async () => {
  const { environment, server, shop } = await openOwnShop(shared());
  const words = ['user', 'create', '--email', 'cli-member@lumen.test'];
  type Created = { readonly userId: string; readonly apiKey: string };
  const loose = await runCliForJson<Created>(environment, words);
  const joined = await runCliForJson<Created>(environment, [
    ...words,
    '--org',
    shop.orgId,
    '--role',
    'admin',
  ]);
  const call = async (apiKey: string) =>
    (await fetch(`${server.url}/api/products`, { headers: { 'x-api-key': apiKey } })).status;
  expect(joined.userId).toBe(loose.userId);
  expect([await call(loose.apiKey), await call(joined.apiKey)]).toEqual([401, 200]);
});

it('mails beyond the limit wait as pending, with the reason', async () => {
  const installation = await startInstallation({ MAX_MAILS_PER_HOUR: '1' });
  const { server, shop, mailServer } = await openOwnShop(installation);
  // Three, since the hour may change once meanwhile.
  for (const order of ['1', '2', '3']) await sendOrder(server.url, shop.orgId, order);
  await mailServer.waitForMails(1);
  type Listed = { readonly status: string; readonly reason: string | null };
  const entry = await until(async () => {
    const answer = await fetch(`${server.url}/api/deliveries`, { headers: { 'x-api-key': shop.apiKey } });
    const listed: readonly Listed[] = JSON.parse(await answer.text());
    return listed.find(({ reason }) => reason !== null);
  });
  expect(entry).toMatchObject({
    status: 'pending',
    reason: expect.stringContaining('The limit of 1 mails an hour is reached'),
  });
});

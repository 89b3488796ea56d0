import { sampleEvent, signForTest } from '@handover/platform-payments-a/testing';
import { expect, it } from 'vitest';
import { startMailServer } from './support/mail-server.ts';
import { openDatabase } from './support/open-database.ts';
import { type Environment, runCliForJson, startServer } from './support/server-process.ts';
import { makeInstallation, openShop, until } from './support/shop.ts';

const SECRET = 'whsec_of-the-endpoint-of-this-installation';
const PAGE = '/dashboard/settings/installation/payments-a';
const OPERATOR = 'operator@lumen.test';

it('an event is refused until the operator connects Stripe in the browser, and then accepted by every process', async () => {
  const mailServer = await startMailServer();
  const environment: Environment = { ...(await makeInstallation(mailServer)), OPERATOR_EMAILS: OPERATOR };
  const first = await startServer(environment);
  const shop = await openShop(environment, first.url, OPERATOR);
  const second = await startServer(environment);
  const send = async (url: string, id: string, secret: string) => {
    const session = { id, metadata: { org_id: shop.orgId, sku: 'felt-piano' } };
    const body = Buffer.from(sampleEvent({ payment_intent: `pi_${id}`, ...session }));
    const headers = { 'content-type': 'application/json', ...signForTest(secret, body, new Date()) };
    return (await fetch(`${url}/webhooks/payments-a`, { method: 'POST', headers, body })).status;
  };
  for (const { url } of [first, second]) expect(await send(url, 'cs_1', SECRET)).toBe(401);

  const browser = await signIn(environment, first.url);
  expect(await browser.post(`${PAGE}/secret`, { secret: SECRET })).toBe(303);
  for (const [at, { url }] of [first, second].entries())
    expect(await send(url, `cs_${at}`, SECRET)).toBe(200);
  await mailServer.waitForMails(2);

  expect(await browser.post(`${PAGE}/secret`, { secret: `${SECRET}-2` })).toBe(303);
  for (const secret of [`${SECRET}-2`, SECRET]) expect(await send(second.url, 'cs_3', secret)).toBe(200);
  const database = await openDatabase(environment.DATABASE_URL);
  await database.query(`update shared_secrets set expires_at = now() where expires_at is not null`);
  await until(async () => (await send(second.url, 'cs_3', SECRET)) === 401);

  const { rows } = await database.query('select sealed from shared_secrets');
  expect(JSON.stringify(rows)).not.toContain('whsec');
  expect(first.printed() + second.printed()).not.toContain('whsec_');
  const simulated = ['simulate', 'payments-a', '--org', shop.orgId, '--sku', 'felt-piano'];
  expect(await runCliForJson({ ...environment, PORT: new URL(first.url).port }, simulated)).toMatchObject({
    platform: 'payments-a',
  });
});

/** The operator's browser, as far as forms need one. */
async function signIn(environment: Environment, url: string) {
  const issued = await runCliForJson<{ signInUrl: string }>({ ...environment, SITE_URL: url }, [
    'sign-in-link',
    '--email',
    OPERATOR,
  ]);
  const sameOrigin = { 'sec-fetch-site': 'same-origin' };
  const answer = await fetch(url + new URL(issued.signInUrl).pathname, {
    method: 'POST',
    headers: sameOrigin,
    redirect: 'manual',
  });
  const cookie = answer.headers
    .getSetCookie()
    .map((set) => set.split(';')[0])
    .join('; ');
  return {
    post: async (path: string, fields: Readonly<Record<string, string>>) => {
      const page = await (await fetch(url + PAGE, { headers: { cookie } })).text();
      const token = /name="form-token" value="([^"]+)"/.exec(page)?.[1] ?? '';
      const body = new URLSearchParams({ 'form-token': token, ...fields });
      const headers = { ...sameOrigin, cookie };
      return (await fetch(url + path, { method: 'POST', headers, body, redirect: 'manual' })).status;
    },
  };
}

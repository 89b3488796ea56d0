import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { SCREENS, useBrowser } from '../../../test/browser.ts';
import { expectAccessible } from '../../../test/every-view.ts';
import { openDashboard } from './open-dashboard.ts';

const browser = useBrowser();
const HALF_AN_HOUR = 30 * 60 * 1000;
const SECURITY = '/dashboard/settings/security';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A dashboard that knows its own address, which passkeys belong to; and a browser with a virtual authenticator. */
async function open() {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  closing.push(() => server.close());
  const site = `http://localhost:${(server.address() as AddressInfo).port}`;
  const dashboard = await openDashboard(undefined, { siteUrl: site });
  await dashboard.app.ready();
  server.on('request', (request, response) => dashboard.app.routing(request, response));

  const owner = await dashboard.signIn('owner');
  const context = await browser.open(SCREENS.desktop);
  await context.addCookies(
    [...owner.cookies].map(([name, value]) => ({ name, value, url: site, httpOnly: true })),
  );
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const;
  await session.send('WebAuthn.addVirtualAuthenticator', { options });
  return { ...dashboard, owner, context, page, site, go: (path: string) => page.goto(`${site}${path}`) };
}

async function register(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('table', { name: 'Your passkeys' }).getByText(name, { exact: true }).waitFor();
}

/** Keeps what a page's next post to this path sends. */
function postedTo(page: Page, path: string): Promise<string> {
  return page
    .waitForRequest((request) => new URL(request.url()).pathname === path)
    .then((request) => request.postData() ?? '');
}

test('a passkey is added, signs in after signing out, and leaves entries', async () => {
  const { page, go, owner, stores, shop } = await open();
  await go(SECURITY);
  await register(page, 'MacBook');
  await expectAccessible(page, 'dashboard-passkeys');
  await page.locator('.side .who summary').click();
  await page.locator('.side').getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.waitForURL('**/dashboard/sign-in');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.waitForURL('**/dashboard/overview');
  const [passkey] = await stores.passkeys.list(owner.userId);
  expect(passkey).toMatchObject({ name: 'MacBook', lastUsedAt: expect.any(Date) });
  const entries = await stores.activity.list(shop.orgId, {
    subjectId: owner.userId,
    before: null,
    limit: 10,
  });
  expect(entries.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['passkey-added', 'signed-in']));
});

test('a second press begins no second ceremony while the first is under way', async () => {
  const { page, go } = await open();
  await go(SECURITY);
  await register(page, 'MacBook');
  await page.context().clearCookies();
  await go('/dashboard/sign-in');
  const answered = Promise.withResolvers<void>();
  let asked = 0;
  await page.route('**/dashboard/passkeys/sign-in/options', async (route) => {
    asked += 1;
    await answered.promise;
    await route.continue();
  });
  const button = page.getByRole('button', { name: 'Sign in with a passkey' });
  await button.press('Enter');
  await expect.poll(() => asked).toBe(1);
  await button.press('Enter');
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  answered.resolve();
  await page.waitForURL('**/dashboard/overview');
  expect(asked).toBe(1);
});

test.each([
  ['a proxy answers 502', { status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' }],
  ['the browser is offline', null],
])('a passkey that signs nobody in because %s says so', async (_, answer) => {
  const { page, context, go } = await open();
  await context.clearCookies();
  await go('/dashboard/sign-in');
  await page.route('**/passkeys/sign-in/options', (route) =>
    answer ? route.fulfill(answer) : route.abort('internetdisconnected'),
  );
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('alert').getByText('The server did not answer').waitFor();
  await page.unroute('**/passkeys/sign-in/options');
});

test('a passkey confirms the sign-in, and leads back to the page', async () => {
  const { page, go, clock } = await open();
  await go(SECURITY);
  await register(page, 'MacBook');
  clock.advance(HALF_AN_HOUR);
  await go('/dashboard/settings/api-key?show=default');
  await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('button', { name: 'Copy Your key “default”' }).waitFor();
});

test('a sign-in is refused when it is sent again, from another origin, or with the passkey of another user', async () => {
  const opened = await open();
  const { page, go, app, owner } = opened;
  await go(SECURITY);
  await register(page, 'MacBook');
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'sec-fetch-site': 'same-origin',
  };
  const send = (payload: string) =>
    app.inject({ method: 'POST', url: '/dashboard/passkeys/sign-in', headers, payload });
  await page.context().clearCookies();
  await go('/dashboard/sign-in');

  // Stopped on its way, so that its challenge is still good.
  await page.route('**/dashboard/passkeys/sign-in', (route) => route.abort());
  const capture = async () => {
    const posted = postedTo(page, '/dashboard/passkeys/sign-in');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    return posted;
  };
  const other = await opened.signIn('member');
  const asOther = await other.post(
    '/dashboard/passkeys/sign-in',
    Object.fromEntries(new URLSearchParams(await capture())),
  );
  expect([asOther.statusCode, asOther.json().error]).toEqual([400, expect.stringContaining('another user')]);

  const genuine = await capture();
  const fields = new URLSearchParams(genuine);
  const answer = JSON.parse(fields.get('response') ?? '');
  const clientData = JSON.parse(Buffer.from(answer.response.clientDataJSON, 'base64url').toString());
  const elsewhere = { ...clientData, origin: 'http://localhost.evil.test' };
  const forged = structuredClone(answer);
  forged.response.clientDataJSON = Buffer.from(JSON.stringify(elsewhere)).toString('base64url');
  const wrongOrigin = await send(new URLSearchParams({ response: JSON.stringify(forged) }).toString());
  expect([wrongOrigin.statusCode, wrongOrigin.cookies]).toEqual([400, []]);
  // Its challenge is used up by that, so the genuine answer is worth nothing any more.
  expect((await send(genuine)).statusCode).toBe(400);

  const next = await capture();
  expect((await send(next)).statusCode).toBe(200);
  const replayed = await send(next);
  expect([replayed.statusCode, replayed.cookies]).toEqual([400, []]);
  expect(replayed.json()).toEqual({ error: expect.stringContaining('answered before') });
  expect(await opened.stores.userSessions.list(owner.userId, opened.clock.now())).toHaveLength(2);
});

test('a registration is refused with the challenge of another user, and needs a fresh sign-in', async () => {
  const opened = await open();
  const { page, go, clock, stores, owner } = opened;
  await go(SECURITY);
  await page.route('**/dashboard/passkeys', (route) => route.abort());
  const posted = postedTo(page, '/dashboard/passkeys');
  await page.getByLabel('Name').fill('MacBook');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const fields = Object.fromEntries(new URLSearchParams(await posted));
  const other = await opened.signIn('member');
  expect((await other.submit(SECURITY, '/dashboard/passkeys', fields)).statusCode).toBe(400);
  expect(await stores.passkeys.list(other.userId)).toEqual([]);
  clock.advance(HALF_AN_HOUR);
  expect((await owner.submit(SECURITY, '/dashboard/passkeys', fields)).statusCode).toBe(403);
  expect(await stores.passkeys.list(owner.userId)).toEqual([]);
});

test('without a script there is a mailed link alone', async () => {
  const { site } = await open();
  const context = await browser.open({ ...SCREENS.phone, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${site}/dashboard/sign-in`);
  expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible()).toBe(false);
  expect(await page.getByRole('button', { name: 'Mail me a link' }).isVisible()).toBe(true);
});

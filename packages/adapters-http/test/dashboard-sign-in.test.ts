import { setSubscription } from '@handover/domain';
import { sendsEmail } from '@handover/testkit';
import { describe, expect } from 'vitest';
import { readReturn } from '../src/dashboard/sign-in/return-address.ts';
import { hiddenFieldsOf, openDashboard } from './open-dashboard.ts';
import { test } from './test-in-shop.ts';

async function requestLink(
  awaited: Awaited<ReturnType<typeof openDashboard>>,
  email: string,
  fields: Record<string, string> = {},
): Promise<string | null> {
  await awaited.signedInUser().post('/dashboard/sign-in', { email, ...fields });
  const job = (await awaited.stores.queuedJobs()).filter(sendsEmail('sign-in')).at(-1);
  return job ? `/dashboard/sign-in/sign-in-${job.emailId}` : null;
}

describe('signing in', () => {
  test('needs a mailed link, whose page has a button that works once', async ({ dashboard }) => {
    const { email } = await dashboard.signIn('owner');
    const link = (await requestLink(dashboard, email)) ?? '';
    const browser = dashboard.signedInUser();
    const page = await browser.get(link);
    expect(page.statusCode).toBe(200);
    expect(page.body.replaceAll('<wbr>', '')).toContain(email);
    // A program that looks into mails changes nothing.
    expect((await browser.get(link)).statusCode).toBe(200);
    const signedIn = await browser.post(link);
    expect([signedIn.statusCode, signedIn.headers.location]).toEqual([303, '/dashboard']);
    expect((await browser.get('/dashboard/products')).statusCode).toBe(200);
    expect((await dashboard.signedInUser().post(link)).statusCode).toBe(410);
    expect((await dashboard.signedInUser().get(link)).statusCode).toBe(410);
  });

  test('in a browser that keeps no cookies ends on a page that says so', async ({ dashboard }) => {
    const { email } = await dashboard.signIn('owner');
    const link = (await requestLink(dashboard, email)) ?? '';
    const referer = `http://localhost${link}`;
    const signedIn = await dashboard.signedInUser().post(link);
    const next = await dashboard.signedInUser().get(String(signedIn.headers.location), { referer });
    expect(next.headers.location).toMatch(/^\/dashboard\/sign-in\/no-cookies/);
    const page = await dashboard.signedInUser().get(String(next.headers.location), { referer });
    expect(page.body).toContain('This browser keeps no cookies');
    const elsewhere = { referer: 'http://localhost/dashboard/sign-in' };
    const other = await dashboard.signedInUser().get('/dashboard/products', elsewhere);
    expect(other.headers.location).toBe('/dashboard/sign-in?to=%2Fdashboard%2Fproducts');
  });

  test('answers alike for an unknown address', async ({ dashboard }) => {
    const { email } = await dashboard.signIn('owner');
    const [known, unknown] = await Promise.all(
      [email, 'nobody@example.com'].map((address) =>
        dashboard.signedInUser().post('/dashboard/sign-in', { email: address }),
      ),
    );
    expect(unknown?.statusCode).toBe(known?.statusCode);
    expect(unknown?.body.replaceAll('nobody@example.com', email)).toBe(known?.body);
    expect((await dashboard.stores.queuedJobs()).filter(sendsEmail('sign-in'))).toHaveLength(1);
  });

  test('keeps an invalid address in the field, with the problem', async ({ dashboard }) => {
    const answer = await dashboard.signedInUser().post('/dashboard/sign-in', { email: 'jana@' });
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain('value="jana@"');
    expect(answer.body).toContain('Write an e-mail address');
  });

  test('mails five links in 15 minutes and then refuses, for unknown addresses too', async () => {
    const dashboard = await openDashboard();
    const ask = () => dashboard.signedInUser().post('/dashboard/sign-in', { email: 'nobody@example.com' });
    for (let count = 0; count < 5; count += 1) expect((await ask()).statusCode).toBe(200);
    expect((await ask()).body).toContain('try again in 15 minutes');
    dashboard.clock.advance(15 * 60_000);
    expect((await ask()).statusCode).toBe(200);
  });

  test('redirects signed-in users to the start page, and others to the form', async ({ dashboard }) => {
    const member = await dashboard.signIn('member');
    expect((await member.get('/dashboard/sign-in')).headers.location).toBe('/dashboard');
    expect((await member.get('/dashboard')).headers.location).toBe('/dashboard/products');
    expect((await dashboard.signedInUser().get('/dashboard')).headers.location).toBe('/dashboard/sign-in');
  });

  test('leads back to the page that was opened, and to no other site', async ({ dashboard }) => {
    const { email } = await dashboard.signIn('owner');
    const signIn = async (to: string) => {
      const link = await requestLink(dashboard, email, { to });
      return (await dashboard.signedInUser().post(link ?? '')).headers.location;
    };
    const page = '/dashboard/purchases?receipt=refused';
    const asked = await dashboard.signedInUser().get(page);
    expect(asked.headers.location).toBe(`/dashboard/sign-in?${new URLSearchParams({ to: page })}`);
    const form = await dashboard.signedInUser().get(String(asked.headers.location));
    expect(hiddenFieldsOf(form.body)).toEqual({ to: page });
    expect(await signIn(page)).toBe(page);
    expect(await signIn('https://evil.example/dashboard/')).toBe('/dashboard');
    expect(await signIn(`/dashboard/purchases?q=${'x'.repeat(500)}`)).toBe('/dashboard');
  });

  test('leads to no file and no part of a page, which a browser would keep or show by itself', () => {
    const id = '018f0000-0000-7000-8000-000000000000';
    for (const to of [
      '/dashboard/purchases.csv?q=ana',
      '/dashboard/purchases%2ecsv',
      '/dashboard/settings/activity.csv',
      '/dashboard/reports/downloads.csv?from=2026-03-01',
      `/dashboard/webhook-log/${id}/payload?addresses=shown`,
      `/dashboard/purchases/${id}/e-mail/html`,
      '/dashboard/webhook-log/live',
      '/dashboard/search/results?q=ana',
      '/dashboard/../elsewhere',
      '/dashboard/%2e%2e/elsewhere',
    ])
      expect([to, readReturn(to)]).toEqual([to, null]);
    for (const to of ['/dashboard/', `/dashboard/webhook-log/${id}`, '/dashboard/search?q=b%40example.com'])
      expect(readReturn(to)).toBe(to);
  });

  test.each([
    ['https://get.example.com', '__Host-handover', true],
    ['http://shop.test', 'handover', false],
  ])('sets a cookie that fits %s', async (siteUrl, name, secure) => {
    const dashboard = await openDashboard(undefined, { siteUrl });
    const { email } = await dashboard.signIn('owner');
    const answer = await dashboard.signedInUser().post((await requestLink(dashboard, email)) ?? '');
    const [cookie] = answer.cookies;
    expect(cookie).toMatchObject({ name, path: '/', httpOnly: true, sameSite: 'Lax', maxAge: 90 * 86_400 });
    expect(cookie?.secure ?? false).toBe(secure);
    expect(cookie?.domain).toBe(undefined);
  });

  test('ends with the session: in this browser, or everywhere', async ({ dashboard, owner }) => {
    const { email } = owner;
    const link = (await requestLink(dashboard, email)) ?? '';
    const elsewhere = dashboard.signedInUser();
    await elsewhere.post(link);
    expect((await owner.submit('/dashboard/products', '/dashboard/sign-out')).statusCode).toBe(303);
    // The one by which this browser is known again stays, and lets nobody in.
    expect([...owner.cookies.keys()]).toEqual(['handover-device']);
    expect((await owner.get('/dashboard/products')).headers.location).toBe(
      '/dashboard/sign-in?to=%2Fdashboard%2Fproducts',
    );
    expect((await elsewhere.get('/dashboard/products')).statusCode).toBe(200);
    await elsewhere.submit('/dashboard/products', '/dashboard/sign-out-everywhere');
    expect((await elsewhere.get('/dashboard/products')).headers.location).toBe(
      '/dashboard/sign-in?to=%2Fdashboard%2Fproducts',
    );
  });

  test('admits the owner when the subscription has expired, and says what to do', async ({ dashboard }) => {
    const owner = await dashboard.signIn('owner');
    await setSubscription(dashboard.ports, dashboard.shop.orgId, dashboard.clock.now());
    const answer = await owner.get('/dashboard/products');
    expect(answer.statusCode).toBe(403);
    expect(answer.body).toContain('The subscription has expired');
    expect((await owner.submit('/dashboard/products', '/dashboard/sign-out')).statusCode).toBe(303);
  });

  test('admits a user without an organisation, and says what to do', async ({ dashboard }) => {
    const nobody = await dashboard.signIn(null);
    const answer = await nobody.get('/dashboard/products');
    expect(answer.statusCode).toBe(403);
    expect(answer.body).toContain(`Ask an owner to invite ${nobody.email}`);
  });

  test('is in the activity log, with the browser and network in short form', async ({ dashboard }) => {
    const { email, userId } = await dashboard.signIn('owner');
    const link = (await requestLink(dashboard, email)) ?? '';
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0';
    await dashboard.signedInUser().post(link, {}, { 'user-agent': agent });
    await dashboard.signedInUser().get(link, { 'user-agent': agent });
    const query = { subjectId: userId, before: null, limit: 2 };
    const viaDetail = 'Firefox on Linux, 127.0.0.0/24';
    expect(await dashboard.ports.activity.list(dashboard.shop.orgId, query)).toMatchObject([
      { kind: 'sign-in-refused', via: 'dashboard', viaDetail },
      { kind: 'signed-in', actor: email, via: 'dashboard', viaDetail },
    ]);
    expect(dashboard.log.requests().at(-1)).toMatchObject({
      userId,
      reason: 'A sign-in link was refused: used.',
    });
  });

  test('is not refused in the activity log when a scanner sends HEAD for a link that was used', async () => {
    const dashboard = await openDashboard();
    const { email, userId } = await dashboard.signIn('owner');
    const link = (await requestLink(dashboard, email)) ?? '';
    await dashboard.signedInUser().post(link);
    expect((await dashboard.app.inject({ method: 'HEAD', url: link })).statusCode).toBe(410);
    const query = { subjectId: userId, before: null, limit: 1 };
    expect(await dashboard.ports.activity.list(dashboard.shop.orgId, query)).toMatchObject([
      { kind: 'signed-in' },
    ]);
  });

  test('with an unknown address is refused in the structured log only', async ({ dashboard }) => {
    const { orgId } = dashboard.shop;
    const known = await dashboard.signIn('owner');
    const all = { subjectId: null, before: null, limit: 100 };
    const before = await dashboard.ports.activity.list(orgId, all);
    const answers = [];
    for (const email of ['nobody@example.com', known.email]) {
      const { statusCode, body } = await dashboard.signedInUser().post('/dashboard/sign-in', { email });
      answers.push([statusCode, body.replaceAll(email, 'EMAIL')]);
    }
    expect(answers[0]).toEqual(answers[1]);
    const [refused] = dashboard.log.lines.filter(({ msg }) => msg === 'after the answer');
    expect(refused?.reason).toBe('A sign-in was requested for an address without a user.');
    expect(JSON.stringify(refused)).not.toContain('nobody@example.com');
    await dashboard.signedInUser().post('/dashboard/sign-in/junk');
    expect(dashboard.log.requests().at(-1)?.reason).toBe('A sign-in link was refused: unknown.');
    expect(await dashboard.ports.activity.list(orgId, all)).toEqual(before);
  });

  test('leaves no token in the log', async ({ dashboard }) => {
    const { email, cookies } = await dashboard.signIn('owner');
    const link = (await requestLink(dashboard, email)) ?? '';
    await dashboard.signedInUser().get(link);
    const written = JSON.stringify(dashboard.log);
    expect(written).not.toContain(link.split('/').at(-1));
    for (const value of cookies.values()) expect(written).not.toContain(value);
  });
});

import { describe, expect } from 'vitest';
import { csrfTokenOf, openDashboard, type SignedInUser } from './open-dashboard.ts';
import { test } from './test-in-shop.ts';

const PAGE = '/dashboard/settings/security';
const KEYS = '/dashboard/settings/api-key';
const HALF_AN_HOUR = 30 * 60 * 1000;

/** The mailed link's path, as its only job has it. */
async function mailedLink(dashboard: Awaited<ReturnType<typeof openDashboard>>): Promise<string> {
  const jobs = await dashboard.stores.queuedJobs();
  const job = jobs.findLast((one) => one.kind === 'send-email' && one.emailKind === 'sign-in');
  const id = job?.kind === 'send-email' ? job.emailId : '';
  return new URL(dashboard.ports.signInTokens.url(id)).pathname;
}

describe('the security page', () => {
  test('lists where one is signed in, this device marked, for any user', async ({ dashboard }) => {
    for (const role of ['owner', 'member', null] as const) {
      const { body } = await (await dashboard.signIn(role)).get(PAGE);
      expect(body).toContain('another program');
      expect(body).toContain('This device');
      expect(body).not.toContain('End all others');
    }
  });

  test('ends one session, or all others', async ({ dashboard, owner }) => {
    const open = async (): Promise<SignedInUser> => {
      const browser = dashboard.signedInUser();
      await browser.post('/dashboard/sign-in', { email: owner.email });
      await browser.post(await mailedLink(dashboard));
      return browser;
    };
    const others = [await open(), await open(), await open()];
    const isSignedIn = async (browser: SignedInUser) => (await browser.get(PAGE)).statusCode === 200;
    const [first] = [...(/name="session" value="([^"]+)"/.exec((await owner.get(PAGE)).body) ?? [])].slice(1);
    const ended = await owner.submit(PAGE, `${PAGE}/end`, { session: first ?? '' });
    expect(ended.statusCode).toBe(303);
    expect((await Promise.all(others.map(isSignedIn))).filter(Boolean)).toHaveLength(2);
    expect((await owner.submit(PAGE, `${PAGE}/end`, { session: first ?? '' })).statusCode).toBe(404);
    expect((await owner.submit(PAGE, `${PAGE}/end-others`)).statusCode).toBe(303);
    expect(await Promise.all([...others, owner].map(isSignedIn))).toEqual([false, false, false, true]);
  });

  test('does not end the session of another user', async ({ dashboard, owner, member }) => {
    const [theirs] = await dashboard.stores.userSessions.list(owner.userId, dashboard.clock.now());
    const answer = await member.submit(PAGE, `${PAGE}/end`, { session: theirs?.hash ?? '' });
    expect(answer.statusCode).toBe(404);
    expect((await owner.get(PAGE)).statusCode).toBe(200);
  });
});

describe('half an hour after the sign-in', () => {
  async function openStale() {
    const dashboard = await openDashboard();
    const owner = await dashboard.signIn('owner');
    dashboard.clock.advance(HALF_AN_HOUR);
    return { ...dashboard, owner };
  }

  test('showing a key asks for a confirmation by mail, and leads back', async () => {
    const stale = await openStale();
    const wanted = `${KEYS}?show=default`;
    const asked = await stale.owner.get(wanted);
    expect([asked.statusCode, asked.body]).toEqual([303, '']);
    const confirm = asked.headers.location ?? '';
    expect(confirm).toBe(`/dashboard/confirm?${new URLSearchParams({ to: wanted }).toString()}`);
    const page = await stale.owner.get(confirm);
    expect(page.body).toContain('Confirm that it is you');
    const to = { 'form-token': csrfTokenOf(page.body), to: wanted };
    expect((await stale.owner.post('/dashboard/confirm', to)).body).toContain('Check your mail');
    const redeemed = await stale.owner.post(await mailedLink(stale));
    expect([redeemed.statusCode, redeemed.headers.location]).toEqual([303, wanted]);
    expect((await stale.owner.get(wanted)).body).toContain('<code>key-');
    // The session went on, so that other open pages still work.
    const sessions = await stale.stores.userSessions.list(stale.owner.userId, stale.clock.now());
    expect(sessions).toHaveLength(1);
  });

  test.each([
    [`${KEYS}/replace`, { name: 'default' }],
    [`${KEYS}/new`, { name: 'Export', access: 'all' }],
    ['/dashboard/settings/integrations/storefront-a/secret', { name: 'EU', secret: 'a'.repeat(32) }],
    ['/dashboard/settings/team/invite', { email: 'mallory@example.com', name: '', role: 'owner' }],
  ])(
    '%s changes nothing and keeps what was typed, to be sent after the confirmation',
    async (path, fields) => {
      const stale = await openStale();
      const state = async () =>
        JSON.stringify([
          await stale.stores.userKeys.list(stale.owner.userId),
          await stale.stores.connections.listFacts(stale.shop.orgId, stale.clock.now()),
          await stale.stores.invitations.list(stale.shop.orgId),
        ]);
      const before = await state();
      const refused = await stale.owner.submit(PAGE, path, fields);
      expect(refused.statusCode).toBe(403);
      expect(refused.body).toContain('Confirm that it is you');
      expect(await state()).toBe(before);
      const page = await stale.owner.get('/dashboard/confirm');
      await stale.owner.post('/dashboard/confirm', { 'form-token': csrfTokenOf(page.body) });
      expect((await stale.owner.post(await mailedLink(stale))).statusCode).toBe(303);
      const token = { 'form-token': csrfTokenOf(refused.body) };
      expect((await stale.owner.post(path, { ...fields, ...token })).statusCode).toBe(303);
      expect(await state()).not.toBe(before);
    },
  );

  test('a role that may do more asks for a confirmation, and one that may do less does not', async () => {
    const stale = await openStale();
    const { stores, shop } = stale;
    const admin = await stale.signIn('admin');
    const role = async () => (await stores.team.find(shop.orgId, admin.userId))?.role;
    const give = (wanted: string) =>
      stale.owner.submit(PAGE, `/dashboard/settings/team/${admin.userId}/role`, { role: wanted });
    const refused = await give('owner');
    expect([refused.statusCode, await role()]).toEqual([403, 'admin']);
    expect(refused.body).toContain('Confirm that it is you');
    expect([(await give('member')).statusCode, await role()]).toEqual([303, 'member']);
    expect([(await give('admin')).statusCode, await role()]).toEqual([403, 'member']);
    await stale.owner.post('/dashboard/confirm', {
      'form-token': csrfTokenOf((await stale.owner.get('/dashboard/confirm')).body),
    });
    await stale.owner.post(await mailedLink(stale));
    expect([(await give('admin')).statusCode, await role()]).toEqual([303, 'admin']);
  });

  test.each([
    'https://evil.test/',
    '//evil.test',
    '/dashboardx',
    '/dashboard/\\evil',
    '/api/products',
    '/dashboard/"x',
    '/dashboard/..//evil.test',
    '/dashboard/%2e%2E/my',
  ])('the confirmation does not lead to %s', async (to) => {
    const stale = await openStale();
    const page = await stale.owner.get(`/dashboard/confirm?${new URLSearchParams({ to }).toString()}`);
    expect(page.body).not.toContain('name="to"');
    await stale.owner.post('/dashboard/confirm', { 'form-token': csrfTokenOf(page.body), to });
    expect((await stale.owner.post(await mailedLink(stale))).headers.location).toBe('/dashboard');
  });
});

test('a browser is known again by its cookie, and only a new one is reported', async ({ dashboard }) => {
  const owner = await dashboard.signIn('owner');
  const notices = async () =>
    (await dashboard.stores.queuedJobs()).filter(
      (job) => job.kind === 'send-email' && job.emailKind === 'new-device',
    );
  const signInWith = async (browser: SignedInUser) => {
    await browser.post('/dashboard/sign-in', { email: owner.email });
    return browser.post(await mailedLink(dashboard));
  };
  await owner.submit(PAGE, '/dashboard/sign-out');
  const again = await signInWith(owner);
  expect(await notices()).toHaveLength(0);
  const cookie = again.cookies.find(({ name }) => name.endsWith('handover-device'));
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
  await signInWith(dashboard.signedInUser());
  expect(await notices()).toHaveLength(1);
});

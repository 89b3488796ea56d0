import { describe, expect } from 'vitest';
import { decodeHtml, type OpenedDashboard, openDashboard, type SignedInUser } from './open-dashboard.ts';
import { test } from './test-in-shop.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';
const TEAM = '/dashboard/settings/team';

/** What the log says, newest first: who did what to what. Signing in comes before all of it. */
async function readLog({ ports, shop }: OpenedDashboard, orgId = shop.orgId) {
  const entries = await ports.activity.list(orgId, { subjectId: null, before: null, limit: 50 });
  return entries
    .filter(({ kind }) => !kind.startsWith('sign'))
    .map(({ kind, actor, summary, subjectId }) => ({ kind, actor, summary, subjectId }));
}

function invite(signedInUser: SignedInUser, fields: Record<string, string>) {
  const form = { email: 'bea@example.com', name: 'Bea', role: 'member', ...fields };
  return signedInUser.submit(`${TEAM}/invite`, `${TEAM}/invite`, form);
}

describe('the team page', () => {
  test('lists the members, and marks the user', async ({ admin }) => {
    const { body } = await admin.get(TEAM);
    expect(body).toContain(`${TEAM}/${admin.userId}`);
    expect(body).toMatch(/Jana Vogel<\/bdi><\/a> <span class="muted small">you/);
    expect(body).toContain('2 people');
  });

  test.each([
    [{ email: 'bea' }, 'It must be an e-mail address.'],
    [{ role: 'king' }, 'Choose one of the roles.'],
    [{ role: 'owner' }, 'Only an owner may add an owner.'],
    [{ name: 'B'.repeat(201) }, 'It must be at most 200 characters.'],
  ])('keeps the typed values, with each problem beside its field: %o', async (fields, problem) => {
    const dashboard = await openDashboard();
    const answer = await invite(await dashboard.signIn('admin'), fields);
    expect(answer.statusCode).toBe(400);
    expect(decodeHtml(answer.body)).toContain(problem);
    expect(answer.body).toContain(`value="${{ email: 'bea@example.com', ...fields }.email}"`);
    expect(await readLog(dashboard)).toEqual([]);
  });

  test('escapes the names of people', async ({ admin }) => {
    await invite(admin, { name: HOSTILE });
    for (const path of [TEAM, '/dashboard/settings/activity']) {
      expect((await admin.get(path)).body).not.toContain('<img src=x');
    }
  });
});

describe('the page of a member', () => {
  const change = (signedInUser: SignedInUser, userId: string, role: string) =>
    signedInUser.submit(`${TEAM}/${userId}`, `${TEAM}/${userId}/role`, { role });

  test('changes the role, and logs who did it', async ({ dashboard, owner, member }) => {
    expect((await change(owner, member.userId, 'admin')).statusCode).toBe(303);
    expect(await dashboard.ports.team.find(dashboard.shop.orgId, member.userId)).toMatchObject({
      role: 'admin',
    });
    expect((await readLog(dashboard))[0]).toMatchObject({
      kind: 'team-changed',
      actor: owner.email,
      summary: 'Jana Vogel is an admin now; before: a member.',
    });
    expect((await change(owner, member.userId, 'admin')).statusCode).toBe(303);
    expect(await readLog(dashboard)).toHaveLength(1);
  });

  test('says beside the form that only owners make and remove owners', async ({ dashboard, admin }) => {
    const owner = await dashboard.signIn('owner');
    const refused = await change(admin, owner.userId, 'member');
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain('Only an owner may make, change or remove an owner.');
    const address = `${TEAM}/${owner.userId}`;
    const kept = await admin.submit(address, `${address}/remove`);
    expect(kept.statusCode).toBe(400);
    expect(kept.body).toMatch(/role="alert"[\s\S]*Only an owner may/);
    expect((await change(admin, admin.userId, 'king')).body).toContain('Choose one of the roles.');
    expect(await readLog(dashboard)).toEqual([]);
  });

  test('keeps the last owner', async ({ dashboard, owner }) => {
    const first = (await dashboard.ports.team.list(dashboard.shop.orgId)).find(
      ({ id }) => id !== owner.userId,
    );
    const address = `${TEAM}/${first?.id}`;
    expect((await owner.submit(address, `${address}/remove`)).statusCode).toBe(303);
    const refused = await change(owner, owner.userId, 'member');
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain('This is the last owner');
    const own = `${TEAM}/${owner.userId}`;
    expect((await owner.submit(own, `${own}/remove`)).body).toContain('This is the last owner');
  });

  test('warns users who leave, and rejects them afterwards', async ({ dashboard, admin }) => {
    const own = `${TEAM}/${admin.userId}`;
    expect((await admin.get(own)).body).toContain('You cannot come back by yourself');
    const left = await admin.submit(own, `${own}/remove`);
    expect([left.statusCode, left.headers.location]).toEqual([303, '/dashboard/sign-in']);
    expect((await admin.get(TEAM)).headers.location).toContain('/dashboard/sign-in?to=');
    expect((await readLog(dashboard))[0]).toMatchObject({ actor: admin.email, kind: 'team-changed' });
  });

  test('sends users who demote themselves to a page that they may still see', async ({ admin }) => {
    const answer = await change(admin, admin.userId, 'member');
    expect(answer.headers.location).toBe('/dashboard');
    expect((await admin.get(TEAM)).statusCode).toBe(403);
  });
});

describe('the organisation page', () => {
  const PAGE = '/dashboard/settings/organisation';

  test('shows how a receipt appears, the subscription and the id', async ({ dashboard, admin }) => {
    const { body } = await admin.get(PAGE);
    expect(body).toContain('&lt;orders@shop.test&gt;');
    expect(body).toContain(dashboard.shop.orgId);
    expect(body).toContain('No end date.');
    await dashboard.ports.organisations.setSubscription(
      dashboard.shop.orgId,
      new Date('2099-03-31T00:00:00Z'),
      null,
    );
    expect((await admin.get(PAGE)).body).toContain('31 March 2099');
  });

  test('saves the mail settings, and logs who did it', async ({ dashboard, admin }) => {
    const fields = { name: ' Lumen Audio ', email: 'hello@lumen.audio' };
    expect((await admin.submit(PAGE, `${PAGE}/mails`, fields)).statusCode).toBe(303);
    expect((await admin.get(PAGE)).body).toContain('<bdi>Lumen Audio</bdi>');
    expect((await readLog(dashboard))[0]).toMatchObject({
      kind: 'organisation-changed',
      actor: admin.email,
      summary: 'Mails come from “Lumen Audio”, and replies go to hello@lumen.audio.',
    });
  });

  test('keeps the typed values, with each problem beside its field', async ({ dashboard, admin }) => {
    const answer = await admin.submit(PAGE, `${PAGE}/mails`, { name: 'Lumen', email: 'nobody' });
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain('It must be an e-mail address.');
    expect(answer.body).toContain('value="Lumen"');
    expect(await readLog(dashboard)).toEqual([]);
  });
});

describe('the default currency', () => {
  const PAGE = '/dashboard/settings/organisation';
  const save = (signedInUser: SignedInUser, defaultCurrency: string) =>
    signedInUser.submit(PAGE, `${PAGE}/currency`, { defaultCurrency });

  test('is requested in the first steps until it is set, with an entry in the log', async ({ dashboard }) => {
    const admin = await dashboard.signIn('admin');
    const overview = async () => (await admin.get('/dashboard/overview')).body;
    expect(await overview()).toContain('Which currency do you sell in?');
    expect((await save(admin, ' chf ')).statusCode).toBe(303);
    expect(await dashboard.ports.organisations.find(dashboard.shop.orgId)).toMatchObject({
      defaultCurrency: 'CHF',
    });
    expect((await admin.get(PAGE)).body).toContain('value="CHF"');
    expect(await overview()).not.toContain('Which currency do you sell in?');
    expect((await admin.get('/dashboard/purchases/record')).body).toContain('value="CHF"');
    expect((await readLog(dashboard))[0]).toMatchObject({
      summary: 'Orders that name no currency are in CHF.',
      actor: admin.email,
    });
  });

  test.each(['', 'XXX', 'EURO', '€'])(
    'that is none (%j) is said at its field, and kept as typed',
    async (typed) => {
      const dashboard = await openDashboard();
      const answer = await save(await dashboard.signIn('admin'), typed);
      expect(answer.statusCode).toBe(400);
      expect(answer.body).toContain('It must be a currency code of ISO 4217, such as EUR.');
      expect(answer.body).toContain(`value="${typed}"`);
      expect(await readLog(dashboard)).toEqual([]);
    },
  );
});

describe('the language of buyers', () => {
  const PAGE = '/dashboard/settings/organisation';

  test('is chosen with the time zone of mails, with an entry in the log', async ({ dashboard, admin }) => {
    const page = (await admin.get(PAGE)).body;
    expect(page).toMatch(/<option value="en" selected>English</);
    expect(page).toMatch(/<option value="UTC" selected>UTC</);
    const locale = { language: 'ja', timeZone: 'Asia/Tokyo' };
    expect((await admin.submit(PAGE, `${PAGE}/language`, locale)).statusCode).toBe(303);
    expect(await dashboard.ports.organisations.find(dashboard.shop.orgId)).toMatchObject(locale);
    expect((await admin.get(PAGE)).body).toMatch(/<option value="ja" selected>日本語</);
    expect((await readLog(dashboard))[0]).toMatchObject({
      summary: 'Buyers whose language is not known read Japanese, and mails give times in Asia/Tokyo.',
      actor: admin.email,
    });
  });

  test.each([
    [{ language: 'la', timeZone: 'UTC' }, 'It must be one of en, de, fr, es, pt, ja.'],
    [{ language: 'de', timeZone: 'Mars/Olympus' }, 'It must be a time zone such as Europe/Berlin.'],
  ])('that is invalid (%j) is rejected beside its field', async (typed, problem) => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
    const answer = await admin.submit(PAGE, `${PAGE}/language`, typed);
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain(problem);
    expect(await readLog(dashboard)).toEqual([]);
  });
});

describe('the alert address', () => {
  const PAGE = '/dashboard/settings/organisation';
  const save = (signedInUser: SignedInUser, alertEmail: string) =>
    signedInUser.submit(PAGE, `${PAGE}/alerts`, { alertEmail });

  test('is set and removed, each with an entry in the log', async ({ dashboard, admin }) => {
    expect((await save(admin, 'ops@lumen.audio')).statusCode).toBe(303);
    expect(await dashboard.ports.organisations.find(dashboard.shop.orgId)).toMatchObject({
      alertEmail: 'ops@lumen.audio',
    });
    expect((await admin.get(PAGE)).body).toContain('value="ops@lumen.audio"');
    expect((await save(admin, ' ')).statusCode).toBe(303);
    expect(await dashboard.ports.organisations.find(dashboard.shop.orgId)).toMatchObject({
      alertEmail: null,
    });
    expect((await readLog(dashboard)).map(({ summary, actor }) => [summary, actor])).toEqual([
      ['Alerts go to the owners.', admin.email],
      ['Alerts go to ops@lumen.audio.', admin.email],
    ]);
  });

  test('that is invalid is rejected beside its field, with the typed text', async ({ dashboard }) => {
    const answer = await save(await dashboard.signIn('admin'), 'nobody');
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain('It must be an e-mail address, or nothing.');
    expect(answer.body).toContain('value="nobody"');
    expect(await readLog(dashboard)).toEqual([]);
  });
});

test('who removes somebody is told before and after what is still mailed to that address', async () => {
  const dashboard = await openDashboard();
  const owner = await dashboard.signIn('owner');
  const bea = await dashboard.signIn('admin');
  await dashboard.ports.organisations.change(dashboard.shop.orgId, { alertEmail: bea.email.toUpperCase() });
  const at = `/dashboard/settings/team/${bea.userId}`;
  expect((await owner.get(at)).body).toContain('Alerts still go to this address afterwards.');
  expect((await owner.get(`/dashboard/settings/team/${owner.userId}`)).body).not.toContain('still go to');
  await owner.submit(at, `${at}/remove`);
  const told = (await owner.get('/dashboard/settings/team')).body.replaceAll('<wbr>', '');
  expect(told).toContain(`Alerts still go to ${bea.email}: change that under Settings, Organisation.`);
});

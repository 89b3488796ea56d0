import type { SentTestMail } from '@handover/adapters-http';
import { LIMITS } from '@handover/domain';
import { expect } from 'vitest';
import { decodeHtml, openDashboard } from './open-dashboard.ts';
import { createFakeDoctor } from './sample-checks.ts';
import { test } from './test-in-shop.ts';

const PAGE = '/dashboard/settings/installation';

async function openWith(operators: readonly string[], answer?: SentTestMail) {
  const doctor = createFakeDoctor((email) => operators.includes(email), answer);
  return { ...(await openDashboard(undefined, { doctor })), doctor };
}

test('owners who operate the installation see what is wrong with it, and what to do', async () => {
  const operators: string[] = [];
  const dashboard = await openWith(operators);
  const owner = await dashboard.signIn('owner');
  operators.push(owner.email);
  const { statusCode, body } = await owner.get(PAGE);
  expect(statusCode).toBe(200);
  expect(body).toContain('One thing must be fixed');
  expect(body).toContain('&#60;b&#62;no&#60;/b&#62;');
  expect(body).toContain('Correct user and password in SMTP_URL');
  expect((await owner.get('/dashboard/overview')).body).toContain(`href="${PAGE}"`);
});

test('nobody else sees the page, or a link to it', async () => {
  const operators: string[] = [];
  const dashboard = await openWith(operators);
  const owner = await dashboard.signIn('owner');
  const admin = await dashboard.signIn('admin');
  operators.push(admin.email);
  for (const user of [owner, admin]) {
    expect((await user.get(PAGE)).statusCode).toBe(404);
    expect((await user.submit('/dashboard/products', PAGE)).statusCode).toBe(404);
    expect((await user.get('/dashboard/overview')).body).not.toContain(PAGE);
  }
  const member = await dashboard.signIn('member');
  expect((await member.get(PAGE)).statusCode).toBe(403);
  expect((await member.submit('/dashboard/products', PAGE)).statusCode).toBe(403);
  expect(dashboard.doctor.mailed).toEqual([]);
});

async function openOperator(answer?: SentTestMail) {
  const operators: string[] = [];
  const dashboard = await openWith(operators, answer);
  const owner = await dashboard.signIn('owner');
  operators.push(owner.email);
  const entriesOf = async () => {
    const { ports, shop } = dashboard;
    const entries = await ports.activity.list(shop.orgId, { subjectId: null, before: null, limit: 20 });
    return entries.filter(({ kind }) => kind === 'test-mail-sent');
  };
  return { ...dashboard, owner, entriesOf };
}

const ANSWERS = [
  ['The mail server accepted it', { kind: 'accepted', answer: '250 2.0.0 OK <4711>', fix: null }],
  [
    'The mail server refused it',
    { kind: 'refused', answer: '554 5.7.1 <b>denied</b>', fix: 'Ask its operator.' },
  ],
  [
    'No test mail was sent',
    { kind: 'not-sent', answer: 'connect ECONNREFUSED 192.0.2.1:25', fix: 'Check the port.' },
  ],
] as const satisfies readonly (readonly [string, SentTestMail])[];

test.each(ANSWERS)(
  'a test mail goes to the owner alone: %s, in the server’s words, and logged',
  async (title, answer) => {
    const { owner, doctor, entriesOf } = await openOperator(answer);
    // Whatever else the form holds, the address is that of the sign-in.
    const sent = await owner.submit(PAGE, PAGE, { email: 'stranger@example.com' });
    const text = decodeHtml(sent.body);
    expect([sent.statusCode, text.includes(title), text.includes(answer.answer)]).toEqual([200, true, true]);
    expect(sent.body).not.toContain('<b>denied');
    expect(text).toContain(answer.fix ?? 'spam folder');
    expect(text).toContain(`“${answer.answer}”.`);
    expect(doctor.mailed).toEqual([owner.email]);
    const entries = await entriesOf();
    expect(entries).toMatchObject([{ actor: owner.email, via: 'dashboard', subjectId: owner.userId }]);
    expect(entries[0]?.summary).toContain(answer.answer);
  },
);

test('a form of another site, or without the token, sends no test mail', async () => {
  const { owner, doctor, entriesOf } = await openOperator();
  expect((await owner.post(PAGE, {}, { 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403);
  expect((await owner.post(PAGE)).statusCode).not.toBe(200);
  expect([doctor.mailed, await entriesOf()]).toEqual([[], []]);
});

test('so many test mails an hour, and the page says when the next one may go', async () => {
  const { owner, doctor, entriesOf, clock } = await openOperator();
  const { tries, windowMs } = LIMITS.testMailsPerUser;
  for (let sent = 0; sent < tries; sent += 1) await owner.submit(PAGE, PAGE);
  const refused = await owner.submit(PAGE, PAGE);
  expect([refused.statusCode, refused.body.includes('You can send another in')]).toEqual([429, true]);
  expect([doctor.mailed.length, (await entriesOf()).length]).toEqual([tries, tries]);
  clock.advance(windowMs + 1);
  expect((await owner.submit(PAGE, PAGE)).statusCode).toBe(200);
});

test('an installation that is not watched has no such page', async ({ owner }) => {
  expect((await owner.get(PAGE)).statusCode).toBe(404);
});

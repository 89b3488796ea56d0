import { expect, test } from 'vitest';
import { csrfTokenOf, openDashboard } from './open-dashboard.ts';

const SECURITY = '/dashboard/settings/security';

test('a member leaves alone: every session ends, and the log says so', async () => {
  const { ports, shop, signIn } = await openDashboard();
  const member = await signIn('member');
  expect((await member.get(SECURITY)).body).toContain('Leave the team');
  const left = await member.submit(SECURITY, `${SECURITY}/leave`);
  expect([left.statusCode, left.headers.location]).toEqual([303, '/dashboard/sign-in']);
  expect(member.cookies.has('handover')).toBe(false);
  expect(await ports.team.find(shop.orgId, member.userId)).toBe(null);
  expect(await ports.userSessions.list(member.userId, ports.clock.now())).toEqual([]);
  const query = { subjectId: member.userId, before: null, limit: 1 };
  const summary = `Jana Vogel (${member.email}) left the team; before: a member.`;
  expect(await ports.activity.list(shop.orgId, query)).toMatchObject([{ summary, actor: member.email }]);
});

test('the last owner is told why not, on the page, and stays', async () => {
  const { ports, shop, signIn } = await openDashboard();
  const owner = await signIn('owner');
  for (const { id, role } of await ports.team.list(shop.orgId))
    if (id !== owner.userId)
      await ports.team.setRole(shop.orgId, id, { by: owner.userId, from: role, to: 'member' });
  const refused = await owner.submit(SECURITY, `${SECURITY}/leave`);
  expect(refused.statusCode).toBe(400);
  expect(refused.body).toContain('This is the last owner');
  expect((await owner.get(SECURITY)).statusCode).toBe(200);
});

test('a user of no organisation has none to leave', async () => {
  const { signIn } = await openDashboard();
  const nobody = await signIn(null);
  const { body } = await nobody.get(SECURITY);
  expect(body).not.toContain('Leave the team');
  const answer = await nobody.post(`${SECURITY}/leave`, { 'form-token': csrfTokenOf(body) });
  expect(answer.statusCode).toBe(404);
});

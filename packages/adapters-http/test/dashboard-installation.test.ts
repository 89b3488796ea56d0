import type { InstallationDoctor } from '@handover/adapters-http';
import { expect, test } from 'vitest';
import { openDashboard } from './open-dashboard.ts';
import { SAMPLE_CHECKS } from './sample-checks.ts';

const PAGE = '/dashboard/settings/installation';

function openWith(operators: readonly string[]) {
  const doctor: InstallationDoctor = {
    isOperator: (email) => operators.includes(email),
    check: async () => SAMPLE_CHECKS,
  };
  return openDashboard(undefined, { doctor });
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
    expect((await user.get('/dashboard/overview')).body).not.toContain(PAGE);
  }
  const member = await dashboard.signIn('member');
  expect((await member.get(PAGE)).statusCode).toBe(403);
});

test('an installation that is not watched has no such page', async () => {
  const dashboard = await openDashboard();
  const owner = await dashboard.signIn('owner');
  expect((await owner.get(PAGE)).statusCode).toBe(404);
});

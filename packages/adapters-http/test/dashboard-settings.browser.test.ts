import { createUser, inviteUser, mapAccount } from '@handover/domain';
import { completeEmail, openShop } from '@handover/testkit';
import { expect, test } from 'vitest';
import { SCREENS, useBrowser } from '../../../test/browser.ts';
import { expectAccessible } from '../../../test/every-view.ts';
import { runAxe } from '../../../test/run-axe.ts';
import { type OpenedDashboard, openDashboard } from './open-dashboard.ts';
import { findSite, openInBrowser } from './open-in-browser.ts';
import { createFakeDoctor } from './sample-checks.ts';
import { sellByHand } from './sell-by-hand.ts';

const browser = useBrowser();
const DAY = 24 * 60 * 60 * 1000;
const PAUSE = 61 * 60 * 1000;

/** A shop with a month of downloads, a team and a long log. */
async function openFull(): Promise<OpenedDashboard> {
  const dashboard = await openDashboard(undefined, { doctor: createFakeDoctor(() => true) });
  const { orgId } = dashboard.shop;
  for (let day = 0; day < 32; day += 1) {
    const sold = await sellByHand(dashboard, `ana${day}@example.com`);
    const downloads = 3 + ((day * 7) % 11);
    for (let count = 0; count < downloads; count += 1)
      await download(dashboard, sold.linkId, count % 4 !== 1);
    dashboard.clock.advance(DAY - downloads * PAUSE);
  }
  const people = [
    ['jo@lumen.audio', 'Jo Reinhardt-Castellanos', 'admin'],
    ['a.very.long.address.of.somebody@department.example.com', '', 'member'],
    ['mia@lumen.audio', 'Mia', 'member'],
  ] as const;
  for (const [email, name, role] of people) {
    await createUser(dashboard.ports, { email, name: name || null, membership: { orgId, role } });
  }
  await mapAccount(dashboard.ports, { orgId, account: 'acct_1NordicReadsOfGothenburg' });
  await fillInvitations(dashboard);
  await fillLog(dashboard);
  return dashboard;
}

/** One of each state. */
async function fillInvitations(dashboard: OpenedDashboard): Promise<void> {
  const { ports, clock } = dashboard;
  const [owner] = await ports.team.list(dashboard.shop.orgId);
  const inviter = { orgId: dashboard.shop.orgId, userId: owner?.id ?? '', role: 'owner' } as const;
  const complete = async (email: string, name: string, kind: 'sent' | 'refused', answer: string) => {
    const invited = await inviteUser(ports, inviter, { email, name, role: 'admin' });
    const at = clock.now();
    const outcome = { kind, at, answer, reason: answer };
    if (invited.kind === 'invited')
      await completeEmail(ports, inviter.orgId, invited.invitation.id, at, outcome);
  };
  await complete('old@example.com', 'Olga Petrova', 'sent', '250 OK');
  clock.advance(8 * DAY);
  await complete('sam@example.com', 'Sam Oduya', 'sent', '250 OK');
  const answer = '550 5.1.1 The email account that you tried to reach does not exist';
  await complete('a.very.long.address.of.a.person@department.example.com', '', 'refused', answer);
  await inviteUser(ports, inviter, { email: 'kim@example.com', name: 'Kim', role: 'member' });
}

async function download(dashboard: OpenedDashboard, linkId: string, completed: boolean): Promise<void> {
  const { orgId } = dashboard.shop;
  const at = dashboard.clock.now();
  const request = { sessionId: dashboard.ports.ids.next(), joining: null, client: 'browser', at } as const;
  // So long that the next one is a session of its own.
  dashboard.clock.advance(PAUSE);
  const sessionId = (await dashboard.ports.sessions.begin(orgId, linkId, request)) ?? '';
  const sent = { version: '1.0', name: 'pads.zip', size: 3e9, ranges: [{ start: 0, end: 3e9 }] };
  await dashboard.ports.sessions.addSent(orgId, sessionId, sent, at);
  if (!completed) return;
  const summary = 'Pads 1.0 downloaded by Ana Lima.';
  const activity = {
    id: dashboard.ports.ids.next(),
    at,
    kind: 'download-completed',
    subjectId: linkId,
    summary,
    via: 'automatic',
  } as const;
  await dashboard.ports.sessions.complete(orgId, linkId, { sessionId, at, activity });
}

async function fillLog({ ports, shop, clock }: OpenedDashboard): Promise<void> {
  const actions = [
    ['product-changed', 'Nocturne Strings: published.', 'jana@lumen.audio', 'api-key', 'hnd_…x7Qa'],
    [
      'address-corrected',
      'Address corrected from mira@exmaple.com to mira@example.com; mailed again.',
      'jo@lumen.audio',
      'dashboard',
      undefined,
    ],
    [
      'order-delivered',
      'WooCommerce order 2026-0955: 1 product delivered.',
      undefined,
      'automatic',
      undefined,
    ],
    [
      'integration-changed',
      'WooCommerce, “EU shop”: The secret was set.',
      undefined,
      'command-line',
      undefined,
    ],
    [
      'signed-in',
      'jana@lumen.audio signed in.',
      'jana@lumen.audio',
      'dashboard',
      'Firefox on Windows, 203.0.113.0/24',
    ],
    [
      'sign-in-refused',
      'A sign-in of jo@lumen.audio was refused: the link had expired.',
      undefined,
      'dashboard',
      'Chrome on Android, 2001:db8:17::/48',
    ],
  ] as const;
  for (let number = 0; number < 60; number += 1) {
    const [kind, summary, actor, via, viaDetail] = actions[number % actions.length] ?? actions[0];
    const origin = { via, ...(actor && { actor }), ...(viaDetail && { viaDetail }) };
    const entry = { id: ports.ids.next(), at: clock.now(), kind, subjectId: shop.product.id, summary };
    await ports.activity.add(shop.orgId, { ...entry, ...origin });
    clock.advance(97 * 60 * 1000);
  }
}

test('pages with much content are accessible', async () => {
  const full = await openFull();
  const { page, go } = await openInBrowser(full, browser);
  const [owner] = await full.ports.team.list(full.shop.orgId);
  const pages = {
    reports: '/dashboard/reports',
    'reports-year': `/dashboard/reports?from=${dayBefore(full, 365)}`,
    'reports-wrong-day': '/dashboard/reports?from=2026-02-30',
    team: '/dashboard/settings/team',
    member: `/dashboard/settings/team/${owner?.id}`,
    activity: '/dashboard/settings/activity',
    installation: '/dashboard/settings/installation',
    stripe: '/dashboard/settings/installation/payments-a',
  };
  for (const [name, path] of Object.entries(pages)) {
    await go(path);
    await expectAccessible(page, `dashboard-full-${name}`);
  }
  await go('/dashboard/reports');
  await page.getByText('Show as table').click();
  await expectAccessible(page, 'dashboard-full-reports-table');
});

const TEST_MAILS = [
  { kind: 'accepted', answer: '250 2.0.0 Ok: queued as 4bX2kQ0Zl9z3K', fix: null },
  {
    kind: 'refused',
    answer: '550 5.7.1 <jana@lumen.audio>: Sender address rejected: not owned by user handover@lumen.audio',
    fix: 'Ask its operator whether it may send from the address in MAIL_FROM, and to other domains.',
  },
] as const;

test.each(TEST_MAILS)('a test mail that is $kind says so, without a script as well', async (answer) => {
  const doctor = createFakeDoctor(() => true, answer);
  const dashboard = await openDashboard(undefined, { doctor });
  for (const javaScriptEnabled of [false, true]) {
    const { page, go } = await openInBrowser(dashboard, browser, { javaScriptEnabled });
    await go('/dashboard/settings/installation');
    await page.getByRole('button', { name: 'Send a test mail' }).press('Enter');
    await page.getByRole('status').getByText(answer.answer).waitFor();
    if (javaScriptEnabled) await expectAccessible(page, `dashboard-test-mail-${answer.kind}`);
  }
  expect(doctor.mailed).toHaveLength(2);
});

test('a person is invited, joins, becomes an admin and is removed, by keyboard and with confirmations', async () => {
  const dashboard = await openDashboard();
  const { page, go } = await openInBrowser(dashboard, browser);
  await go('/dashboard/settings/team/invite');
  await page.getByLabel('E-mail address').fill('bea@example.com');
  await page.getByLabel('Name').fill('Bea');
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('An invitation is on its way to Bea').waitFor();
  await acceptInvitation(dashboard);
  await go('/dashboard/settings/team');
  await page.getByRole('link', { name: 'Bea' }).press('Enter');
  await page.getByLabel('Role').selectOption('admin');
  await page.getByRole('button', { name: 'Save the role' }).press('Enter');
  await page.getByRole('status').getByText('Bea is an admin now').waitFor();
  await page.getByRole('link', { name: 'Bea' }).click();
  await page.getByRole('button', { name: 'Remove from the team' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Remove Bea?' });
  await dialog.getByRole('button', { name: 'Cancel' }).waitFor();
  expect(await runAxe(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Remove from the team' }).press('Enter');
  await page.getByText('Bea is no longer in the team').waitFor();
  await page.getByRole('link', { name: 'Bea' }).waitFor({ state: 'detached' });
});

/** In a browser of the invited person's own, without a script. */
async function acceptInvitation(dashboard: OpenedDashboard): Promise<void> {
  const site = await findSite(dashboard);
  const [invitation] = await dashboard.ports.invitations.list(dashboard.shop.orgId);
  const link = new URL(dashboard.ports.invitationTokens.url(dashboard.shop.orgId, invitation?.id ?? ''))
    .pathname;
  const context = await browser.open({ ...SCREENS.desktop, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${site}${link}`);
  await page.getByRole('button', { name: 'Accept the invitation' }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Products' }).waitFor();
  await context.close();
}

test('an invitation is withdrawn after a confirmation', async () => {
  const full = await openFull();
  const { page, go } = await openInBrowser(full, browser);
  await go('/dashboard/settings/team');
  await page.getByRole('button', { name: 'Withdraw the invitation of Kim' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Withdraw the invitation of Kim?' });
  await dialog.getByRole('button', { name: 'Cancel' }).waitFor();
  expect(await runAxe(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Withdraw the invitation' }).press('Enter');
  await page.getByText('The invitation of Kim is withdrawn').waitFor();
});

test('the invitation page is accessible in each state', async () => {
  const full = await openFull();
  const site = await findSite(full);
  const page = await (await browser.open(SCREENS.desktop)).newPage();
  const open = async (email: string) => {
    const found = (await full.ports.invitations.list(full.shop.orgId)).find((one) => one.email === email);
    const link = new URL(full.ports.invitationTokens.url(full.shop.orgId, found?.id ?? '')).pathname;
    await page.goto(`${site}${link}`);
    return link;
  };
  const link = await open('sam@example.com');
  await expectAccessible(page, 'invitation-open');
  await open('old@example.com');
  await expectAccessible(page, 'invitation-expired');
  const other = await openShop({ ...full.ports, stores: full.stores }, 'Nocturne Instruments');
  const membership = { orgId: other.orgId, role: 'member' } as const;
  await createUser(full.ports, { email: 'kim@example.com', name: null, membership });
  await open('kim@example.com');
  await expectAccessible(page, 'invitation-elsewhere');
  await full.app.inject({ method: 'POST', url: link, headers: { 'sec-fetch-site': 'same-origin' } });
  await page.goto(`${site}${link}`);
  await page.getByRole('heading', { name: 'You are in the team of' }).waitFor();
  await expectAccessible(page, 'invitation-member');
});

test('a rejected change is explained beside its form', async () => {
  const dashboard = await openDashboard();
  const { page, go } = await openInBrowser(dashboard, browser);
  const [first, self] = await dashboard.ports.team.list(dashboard.shop.orgId);
  await go(`/dashboard/settings/team/${first?.id}`);
  await page.getByRole('button', { name: /^Remove/ }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Remove/ })
    .click();
  await page.getByText('is no longer in the team').waitFor();
  await go(`/dashboard/settings/team/${self?.id}`);
  await page.getByRole('button', { name: 'Leave the team' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave the team' }).click();
  await page.getByRole('alert').getByText('This is the last owner').waitFor();
  await expectAccessible(page, 'dashboard-member-refused');
});

test('the report downloads as a file, with and without a script', async () => {
  const full = await openFull();
  const { page, go } = await openInBrowser(full, browser, { javaScriptEnabled: false });
  await go('/dashboard/reports');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download CSV' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^downloads_\d{4}-\d\d-\d\d_\d{4}-\d\d-\d\d\.csv$/);
  await page.getByLabel('First day').fill(dayBefore(full, 6));
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByRole('heading', { name: 'Downloads in 7 days' }).waitFor();
});

function dayBefore(dashboard: OpenedDashboard, days: number): string {
  return new Date(dashboard.clock.now().getTime() - days * DAY).toISOString().slice(0, 10);
}

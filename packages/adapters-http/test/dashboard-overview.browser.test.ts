import { createOrganisation } from '@handover/domain';
import { makeLine } from '@handover/testkit';
import { expect, test } from 'vitest';
import { useBrowser } from '../../../test/browser.ts';
import { expectAccessible } from '../../../test/every-view.ts';
import { deliver, fillOverview } from './fill-overview.ts';
import { type OpenedDashboard, openDashboard } from './open-dashboard.ts';
import { openInBrowser } from './open-in-browser.ts';

const browser = useBrowser();

const STATES = {
  full: async (dashboard: OpenedDashboard) => {
    await fillOverview(dashboard);
    return dashboard.shop.orgId;
  },
  well: async (dashboard: OpenedDashboard) => {
    for (let order = 0; order < 48; order += 1) await deliver(dashboard, { orderId: `${order}` });
    dashboard.clock.advance(4 * 60 * 1000);
    return dashboard.shop.orgId;
  },
  begun: async (dashboard: OpenedDashboard) => dashboard.shop.orgId,
  empty: async (dashboard: OpenedDashboard) => {
    const created = await createOrganisation(dashboard.ports, {
      name: 'New shop',
      ownerEmail: 'new@example.com',
    });
    return created.kind === 'created' ? created.organisation.id : '';
  },
};

async function openOverview(state: keyof typeof STATES, options: { javaScriptEnabled?: boolean } = {}) {
  const dashboard = await openDashboard();
  const orgId = await STATES[state](dashboard);
  const { page, go } = await openInBrowser(dashboard, browser, { ...options, orgId });
  await go('/dashboard/overview');
  return { it: dashboard, page };
}

test.each(['full', 'well', 'begun', 'empty'] as const)('the overview bars nobody: %s', async (state) => {
  const { page } = await openOverview(state);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await expectAccessible(page, `overview-${state}`);
});

test('new events appear without a reload, but not while the pointer moves', async () => {
  const { it, page } = await openOverview('well');
  // From here on it is this test that lets time pass.
  await page.clock.install({ time: '2026-01-01T12:00:00' });
  await page.clock.pauseAt('2026-01-01T12:00:01');
  await page.reload();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/dashboard/overview')) asked += 1;
  });
  await page.getByText('All 48 of today’s orders are delivered').waitFor();
  await page.getByText('Show as table').click();
  await deliver(it, { orderId: 'u1', lines: [makeLine('TAPE-LOOPS')] });
  await page.clock.runFor(29_000);
  await page.mouse.move(600, 300);
  await page.clock.runFor(2000);
  expect(asked).toBe(0);
  await page.clock.runFor(30_000);
  await page.getByRole('heading', { name: 'One SKU matches no product' }).waitFor();
  await page.locator('#figures').getByText('1 failed').waitFor();
  // What was opened meanwhile stays open.
  await page.getByText('Hide the table').waitFor();
  await page.clock.runFor(31_000);
  await expect.poll(() => asked).toBe(2);
  expect(complaints).toEqual([]);
});

test('the list of what was dismissed stays open while new events appear', async () => {
  const { it, page } = await openOverview('well');
  await deliver(it, { orderId: 'f1', customer: { email: null, name: null } });
  const at = it.clock.now();
  const dismissal = { seenAt: at, seenCount: 1, reason: 'Paid back by hand', by: 'jana@example.com', at };
  await it.ports.dismissals.dismiss(it.shop.orgId, [{ subject: 'failed', ...dismissal }]);
  await page.clock.install({ time: '2026-01-01T12:00:00' });
  await page.clock.pauseAt('2026-01-01T12:00:01');
  await page.reload();
  await page.getByText('1 dismissed').click();
  await page.getByText('Paid back by hand').waitFor();
  // Nothing has the focus, and the pointer rests.
  await page.getByRole('heading', { level: 1 }).click();
  await deliver(it, { orderId: 'u1', lines: [makeLine('TAPE-LOOPS')] });
  await page.clock.runFor(31_000);
  await page.getByRole('heading', { name: 'One SKU matches no product' }).waitFor();
  await page.getByText('Paid back by hand').waitFor();
});

test('the page without a script has the same content', async () => {
  const { page } = await openOverview('full', { javaScriptEnabled: false });
  await page.getByRole('link', { name: 'Match SKUs' }).waitFor();
  await page.getByText('Show as table').click();
  await page.getByRole('table', { name: 'Last 30 days' }).waitFor();
});

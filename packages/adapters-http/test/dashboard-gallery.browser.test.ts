import { createUser } from '@handover/domain';
import { type Html, html, joinHtml } from '@handover/html';
import { expect, test } from 'vitest';
import { measureOverflow, SCREENS, useBrowser } from '../../../test/browser.ts';
import { lookEveryWay } from '../../../test/every-view.ts';
import { runAxe } from '../../../test/run-axe.ts';
import { statusBadge } from '../src/dashboard/parts/badge.ts';
import { linkButton } from '../src/dashboard/parts/button.ts';
import { dayChart } from '../src/dashboard/parts/chart.ts';
import { emptyState } from '../src/dashboard/parts/empty-state.ts';
import { selectField, textField } from '../src/dashboard/parts/form.ts';
import * as icons from '../src/dashboard/parts/icons.ts';
import { noticePanel } from '../src/dashboard/parts/notice.ts';
import { pageHeader } from '../src/dashboard/parts/page-header.ts';
import { timeline } from '../src/dashboard/parts/timeline.ts';
import { shellPage } from '../src/dashboard/shell.ts';
import { openDashboard } from './open-dashboard.ts';
import { listen } from './over-the-wire.ts';

const browser = useBrowser();

/** What no page shows all at once: every state, and the parts that wait for their pages. */
function gallery(): Html {
  const badges = [
    ...(['pending', 'success', 'error', 'held', 'ignored', 'unmatched'] as const).map((state) =>
      statusBadge('delivery', state),
    ),
    ...(['draft', 'published', 'archived'] as const).map((state) => statusBadge('product', state)),
    ...(['open', 'used', 'expired', 'revoked'] as const).map((state) => statusBadge('link', state)),
    ...(['working', 'waiting', 'quiet', 'rejecting', 'not-set-up', 'unmapped'] as const).map((state) =>
      statusBadge('connection', state),
    ),
    ...(['live', 'uploading', 'ready'] as const).map((state) => statusBadge('version', state)),
  ];
  const start = new Date('2026-10-14T14:02:11.204Z');
  const after = (ms: number) => new Date(start.getTime() + ms);
  const events = timeline([
    {
      icon: icons.receivedIcon,
      title: 'Order received',
      evidence: html`Shopify, <a href="/">log entry</a>`,
      at: start,
    },
    {
      icon: icons.verifiedIcon,
      title: 'Signature verified',
      evidence: 'With the secret of 3 March.',
      at: after(2),
    },
    {
      icon: icons.brokenIcon,
      title: 'Download interrupted',
      evidence: '1.3 of 3.1 GB',
      at: after(542_000),
      tone: 'held',
    },
    {
      icon: icons.checkIcon,
      title: 'Completed',
      evidence: 'Confirmed.',
      at: after(832_000),
      tone: 'success',
    },
    { icon: icons.flagIcon, title: 'Used', evidence: 'Not sent yet.', at: null },
  ]);
  const header = pageHeader({
    title: 'States',
    badge: statusBadge('delivery', 'held'),
    back: { href: '/dashboard', words: 'Start' },
    meta: ['Badges', 'notices', 'timeline'],
    actions: [linkButton('/dashboard', { words: 'Primary', primary: true })],
    more: [linkButton('/dashboard', { words: 'One more' })],
  });
  const field = textField({
    name: 'amount',
    label: 'Amount',
    value: '49,00',
    problem: 'Write an amount such as 49.00',
  });
  const choice = selectField({
    name: 'currency',
    label: 'Currency',
    value: 'EUR',
    options: [{ value: 'EUR', words: 'EUR' }],
  });
  const notice = (tone: 'held' | 'error' | 'pending' | 'success') =>
    noticePanel({
      tone,
      icon: icons.pauseIcon,
      title: '3 orders are waiting for this product',
      sentence: 'Publishing delivers version 1.0 and mails each a receipt.',
      actions: [linkButton('/dashboard', { words: 'See the orders', small: true })],
    });
  const empty = emptyState({
    icon: icons.webhookIcon,
    title: 'No deliveries yet',
    sentence: 'Orders show up here.',
  });
  const chart = dayChart({
    title: 'Last 30 days',
    days: Array.from({ length: 30 }, (_, at) => ({
      day: new Date(Date.UTC(2026, 8, 15 + at)).toISOString().slice(0, 10),
      bars: [31 + ((at * 7) % 40), at % 4 === 2 ? 1 + (at % 3) : 0],
      line: 46 + ((at * 11) % 48),
    })),
    bars: [
      { words: 'Delivered', tone: 'delivered' },
      { words: 'Held or failed', tone: 'trouble' },
    ],
    line: 'Downloads',
    today: '2026-10-14',
    nothing: 'No orders in this period',
  });
  return html`${header}<div class="stack"><section class="card"><section><div class="page-title">${joinHtml(badges, ' ')}</div><div class="page-title">${joinHtml(Object.values(icons), ' ')}</div></section></section>
${(['held', 'error', 'pending', 'success'] as const).map(notice)}
<div class="with-facts"><section class="card"><header><h2>From order to last byte</h2></header><section>${events}</section></section><section class="card"><section class="form">${field}${choice}</section></section></div>
<section class="card"><section>${chart}</section></section>
<section class="card">${empty}</section></div>`;
}

test('every state of the gallery is accessible', async () => {
  const dashboard = await openDashboard();
  const created = await createUser(dashboard.ports, {
    email: 'jana@example.com',
    name: 'Jana Vogel',
    membership: null,
  });
  const userId = created.kind === 'created' ? created.user.id : '';
  const now = dashboard.clock.now();
  const session = {
    hash: '',
    createdAt: now,
    expiresAt: now,
    client: null,
    lastSeenAt: now,
    confirmedAt: now,
  };
  const user = { userId, email: 'jana@example.com', name: 'Jana Vogel', membership: null, session };
  const toast = { title: '3 orders delivered', sentence: 'Receipts to Ana, Jo and Mia are on their way.' };
  const shell = { user, navigation: [], currentPath: '/states', csrfToken: 'x', toast: null };
  // Apart, because a toast covers what is below it until it goes away.
  const pages = {
    '/states': shellPage(shell, { title: 'States', main: gallery() }),
    '/toast': shellPage({ ...shell, toast }, { title: 'Toast', main: pageHeader({ title: 'Toast' }) }),
  };
  for (const [path, page] of Object.entries(pages))
    dashboard.app.get(path, async (_request, reply) =>
      reply.type('text/html; charset=utf-8').send(String(page)),
    );
  const site = `http://127.0.0.1:${await listen(dashboard.app)}`;
  const page = await (await browser.open(SCREENS.desktop)).newPage();
  await page.goto(`${site}/states`);
  await lookEveryWay(page, async (view) => {
    await page.goto(`${site}/toast`);
    await page.getByText('3 orders delivered').waitFor();
    expect.soft(await runAxe(page), `toast, ${view.name}`).toEqual([]);
    await page.goto(`${site}/states`);
    expect.soft(await runAxe(page), view.name).toEqual([]);
    expect.soft(await measureOverflow(page), `${view.name} scrolls sideways`).toBe(0);
    await view.takePicture(`dashboard-states-${view.name}`);
  });
});

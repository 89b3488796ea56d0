import { UNREADABLE_YET } from '@handover/domain';
import { signedSample } from '@handover/platform-storefront-a/testing';
import { completeEmail, makeOrder, recordOrder } from '@handover/testkit';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { measureOverflow, SCREENS, useBrowser } from '../../../test/browser.ts';
import { expectAccessible } from '../../../test/every-view.ts';
import { fillLog, fillWith, sendOrder } from './fill-log.ts';
import { openDashboard } from './open-dashboard.ts';
import { hurry, openInBrowser } from './open-in-browser.ts';
import { SALE, send } from './send-webhook.ts';

const browser = useBrowser();
const LOG = '/dashboard/webhook-log';

/** A dashboard with its log open in a browser. The log polls ten times as often as usual. */
async function open(options: Parameters<typeof openInBrowser>[2] = {}) {
  const dashboard = await openDashboard();
  const { page, go } = await openInBrowser(dashboard, browser, options);
  await hurry(page);
  return { ...dashboard, page, go: (path = '') => go(`${LOG}${path}`) };
}

const row = (page: Page, name: string) => page.locator('.log-row', { hasText: name });

test('the log is accessible', async () => {
  const dashboard = await openDashboard();
  const { page, go } = await openInBrowser(dashboard, browser);
  const check = async (name: string, path: string) => {
    await go(`${LOG}${path}`);
    await expectAccessible(page, `log-${name}`);
  };
  await check('empty', '');
  const of = await fillLog(dashboard);
  await check('list', '');
  await check('no-match', '?q=ana.lma@');
  await check('held', `/${of.held}`);
  await check('error', `/${of.unmatched}?status=error`);
  await check('mail', `/${of.failing}`);
  await check('ignored', `/${of.ignored}`);
  await check('unreadable', `/${of.unreadable}?addresses=shown`);
  const waiting = await recordOrder(
    { ...dashboard.ports, stores: dashboard.stores },
    makeOrder(dashboard.shop),
  );
  await dashboard.stores.deliveries.explainPending(dashboard.shop.orgId, waiting.id, UNREADABLE_YET);
  await check('unreadable-yet', `/${waiting.id}`);
  await fillWith(dashboard, 500);
  await check('full', '');
  expect(await page.locator('.log-row').count()).toBe(50);
});

test('the open log survives an unavailable database, and continues to update itself', async () => {
  const opened = await open();
  await sendOrder(opened, { orderId: '1' });
  await opened.go();
  // As the server answers a fragment that it cannot make.
  const headers = { 'hx-retarget': 'body', 'hx-reselect': 'body > *', 'hx-reswap': 'innerHTML' };
  const away = { status: 503, contentType: 'text/html', headers, body: '<main>The database is away</main>' };
  await opened.page.route('**/webhook-log/live*', (route) => route.fulfill(away));
  await opened.page.locator('.live-mark').getByText('No answer, trying again').waitFor();
  await opened.page.getByRole('status').getByText('No answer, trying again').waitFor();
  expect(await row(opened.page, '#1').count()).toBe(1);
  await opened.page.unroute('**/webhook-log/live*');
  await sendOrder(opened, { orderId: '2' });
  await row(opened.page, '#2').waitFor();
  await opened.page.locator('.live-mark').getByText('Live', { exact: true }).waitFor();
});

test('the open log goes to the sign-in page when its session has ended', async () => {
  const opened = await open();
  await sendOrder(opened, { orderId: '1' });
  await opened.go();
  await row(opened.page, '#1').waitFor();
  await opened.page.context().clearCookies();
  await opened.page.waitForURL('**/dashboard/sign-in');
  await opened.page.getByRole('button', { name: 'Mail me a link' }).waitFor();
});

test('an order appears once without a reload, and its status is updated', async () => {
  const opened = await open();
  await sendOrder(opened, { orderId: '1' });
  await opened.go();
  await row(opened.page, '#1').waitFor();
  const loaded = await opened.page.evaluate<number>('performance.timeOrigin');
  const id = await sendOrder(opened, { orderId: '2' });
  await row(opened.page, '#2').waitFor();
  expect(await opened.page.locator('.log-row .row-link').allTextContents()).toEqual(['#2', '#1']);
  expect(await opened.page.locator('#log-news').textContent()).toBe('1 new entry');
  expect(await opened.page.locator('#log-statuses').textContent()).toContain('All 2');
  await opened.page.getByRole('link', { name: '#2' }).click();
  const entry = opened.page.getByRole('article', { name: 'Order #2' });
  await entry.getByText('Pending').waitFor();
  // The mail server takes its receipt.
  const purchaseId = (await opened.stores.deliveries.open(opened.shop.orgId, id))?.lines[0]?.purchaseId ?? '';
  const receiptId = (await opened.stores.mailings.find(opened.shop.orgId, purchaseId))?.receipt?.id ?? '';
  const sent = { kind: 'sent', at: opened.clock.now(), answer: '250 OK' } as const;
  await completeEmail(opened.stores, opened.shop.orgId, receiptId, opened.clock.now(), sent);
  await row(opened.page, '#2').getByText('Success').waitFor();
  await entry.getByText('Success').waitFor();
  expect(await opened.page.locator('.log-row').count()).toBe(2);
  expect(await opened.page.evaluate<number>('performance.timeOrigin')).toBe(loaded);
});

test('an opened entry leaves the pause between two notes of new entries as it is', async () => {
  const opened = await open();
  await sendOrder(opened, { orderId: '1' });
  await opened.go();
  await sendOrder(opened, { orderId: '2' });
  const news = opened.page.locator('#log-news');
  await news.getByText('1 new entry').waitFor();
  await opened.page.getByRole('link', { name: '#2' }).click();
  await opened.page.getByRole('article', { name: 'Order #2' }).waitFor();
  await opened.page.evaluate("document.getElementById('log-news').replaceChildren()");
  for (const orderId of ['3', '4']) {
    await send(opened, signedSample('test-secret', { ...SALE, orderId }));
    await row(opened.page, `#${orderId}`).waitFor();
    expect(await news.textContent()).toBe('');
  }
  opened.clock.advance(15_000);
  await news.getByText('2 new entries').waitFor();
});

test('the first order replaces the empty state', async () => {
  const opened = await open();
  await opened.go();
  await opened.page.getByText('No deliveries yet').waitFor();
  await sendOrder(opened, { orderId: '1' });
  await row(opened.page, '#1').waitFor();
  await opened.page.getByText('No deliveries yet').waitFor({ state: 'detached' });
});

test('a paused log stands still, and continues when it is resumed', async () => {
  const opened = await open();
  await sendOrder(opened, { orderId: '1' });
  await opened.go();
  await opened.page.getByRole('button', { name: 'Pause' }).click();
  await opened.page.getByText('Paused').waitFor();
  let polls = 0;
  opened.page.on('request', (request) => {
    if (request.url().includes('/live')) polls += 1;
  });
  await sendOrder(opened, { orderId: '2' });
  // Two more turns of the clock that it asks by.
  await opened.page.evaluate(`new Promise((passed) => {
    let turns = 0;
    document.addEventListener('htmx:before:request', () => (turns += 1) === 2 && passed());
  })`);
  expect([polls, await opened.page.locator('.log-row').count()]).toEqual([0, 1]);
  await opened.page.getByRole('button', { name: 'Pause' }).click();
  await row(opened.page, '#2').waitFor();
});

test('an entry opens beside the list, which stays live; the back button returns to the list', async () => {
  const opened = await open();
  const of = await fillLog(opened);
  await opened.go('?connection=');
  await opened.page.getByRole('link', { name: '#1186' }).click();
  await opened.page.getByRole('heading', { name: 'Order #1186' }).waitFor();
  expect(new URL(opened.page.url()).pathname).toBe(`${LOG}/${of.held}`);
  expect(await opened.page.locator('.log-row[aria-current]').count()).toBe(1);
  await sendOrder(opened, { orderId: '7' });
  await row(opened.page, '#7').waitFor();
  expect(await opened.page.locator('.log-row[aria-current] .row-link').textContent()).toBe('#1186');
  await opened.page.getByRole('link', { name: '#4998' }).click();
  await opened.page.getByRole('heading', { name: 'Order #4998' }).waitFor();
  await opened.page.goBack();
  await opened.page.getByRole('heading', { name: 'Order #1186' }).waitFor();
  await sendOrder(opened, { orderId: '8' });
  await row(opened.page, '#8').waitFor();
});

test('list and entry work by keyboard alone', async () => {
  const opened = await open();
  const of = await fillLog(opened);
  await opened.stores.products.change(
    opened.shop.orgId,
    opened.shop.product.id,
    { slug: 'bundle-xmas' },
    opened.clock.now(),
  );
  await opened.go();
  const focusOn = async (words: string) => {
    for (let at = 0; at < 60; at += 1) {
      if ((await focusedWords(opened.page)) === words) return;
      await opened.page.keyboard.press('Tab');
    }
    throw new Error(`“${words}” cannot be reached.`);
  };
  await focusOn('#4998');
  await opened.page.keyboard.press('Enter');
  await opened.page.getByRole('heading', { name: 'Order #4998' }).waitFor();
  await focusOn('Deliver again');
  await opened.page.keyboard.press('Enter');
  await opened.page.getByRole('status').getByText('Order #4998 was processed again').waitFor();
  await opened.page.getByText('Processed 2 times').waitFor();
  expect(new URL(opened.page.url()).pathname).toBe(`${LOG}/${of.unmatched}`);
});

test('the log searches while one types, and stays live', async () => {
  const opened = await open();
  await fillLog(opened);
  await opened.go();
  await opened.page.getByLabel('Search the log').pressSequentially('mia@');
  await row(opened.page, '#1186').waitFor({ state: 'detached' });
  await opened.page.waitForURL(`**${LOG}?q=mia*`);
  expect(await focusedId(opened.page)).toBe('q');
  await sendOrder(opened, { orderId: '7', email: 'mia@example.com' });
  await sendOrder(opened, { orderId: '8', email: 'ana@example.com' });
  await row(opened.page, '#7').waitFor();
  expect(await opened.page.locator('.log-row .row-link').allTextContents()).toEqual(['#7', '#5002']);
});

test('on a phone an entry is a separate page with a link back to the list', async () => {
  const opened = await open(SCREENS.phone);
  await fillLog(opened);
  await opened.go();
  await opened.page.getByRole('link', { name: '#1186' }).click();
  await opened.page.getByRole('heading', { name: 'Order #1186' }).waitFor();
  expect(await opened.page.getByRole('link', { name: '#4998' }).isVisible()).toBe(false);
  await opened.page.getByRole('main').getByRole('link', { name: 'Webhook log' }).click();
  await opened.page.getByRole('link', { name: '#4998' }).waitFor();
  expect(await measureOverflow(opened.page)).toBe(0);
});

test('everything works without a script', async () => {
  const opened = await open({ javaScriptEnabled: false });
  await fillLog(opened);
  await opened.go();
  expect(await opened.page.getByRole('button', { name: 'Pause' }).isVisible()).toBe(false);
  await sendOrder(opened, { orderId: '7' });
  await opened.page.getByRole('link', { name: 'Reload' }).click();
  await row(opened.page, '#7').waitFor();
  await opened.page.getByRole('link', { name: '#1186' }).click();
  await opened.page.getByRole('heading', { name: 'Order #1186' }).waitFor();
  await opened.page.getByRole('link', { name: 'Show personal data' }).click();
  await opened.page.getByText('"email": "ana@example.com"').first().waitFor();
});

test('nothing violates the content security policy', async () => {
  const opened = await open();
  const of = await fillLog(opened);
  const complaints: string[] = [];
  opened.page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await opened.go(`/${of.held}`);
  await sendOrder(opened, { orderId: '7' });
  await row(opened.page, '#7').waitFor();
  expect(complaints).toEqual([]);
});

function focusedWords(page: Page): Promise<string> {
  return page.evaluate<string>('document.activeElement.textContent.trim()');
}

function focusedId(page: Page): Promise<string> {
  return page.evaluate<string>('document.activeElement.id');
}

test('pointing at a time in UTC also says it where the reader is, and goes on to after a poll', async () => {
  const { page, go, ...dashboard } = await open({ timezoneId: 'Asia/Tokyo' });
  await sendOrder(dashboard, { orderId: '1' });
  await go();
  await row(page, '#1').click();
  await page.locator('.log-entry').waitFor();
  const received = page.locator('.log-entry time', { hasText: 'UTC' }).first();
  const local = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'long',
    timeStyle: 'long',
    timeZone: 'Asia/Tokyo',
  });
  const at = new Date((await received.getAttribute('datetime')) ?? '');
  const title = () => received.getAttribute('title');
  await received.hover();
  await expect.poll(title).toBe(`${local.format(at)}, where you are`);
  await received.evaluate('(time) => time.removeAttribute("title")');
  await sendOrder(dashboard, { orderId: '2' });
  await row(page, '#2').waitFor();
  await expect.poll(title).toBe(`${local.format(at)}, where you are`);
});

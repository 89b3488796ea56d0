import { UNREADABLE_YET } from '@handover/domain';
import { completeEmail, makeOrder, recordOrder } from '@handover/domain/testing';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { measureOverflow, SCREENS, useBrowser } from '../../../test/browser.ts';
import { expectAccessible } from '../../../test/every-view.ts';
import { fillLog, fillWith, sendOrder } from './fill-log.ts';
import { openDashboard } from './open-dashboard.ts';
import { hurry, openInBrowser } from './open-in-browser.ts';

const browser = useBrowser();
const LOG = '/dashboard/webhook-log';

/** A dashboard, and somebody who looks at its log. It asks for what is new ten times as often as it would. */
async function open(options: Parameters<typeof openInBrowser>[2] = {}) {
  const it = await openDashboard();
  const { page, go } = await openInBrowser(it, browser, options);
  await hurry(page);
  return { ...it, page, go: (path = '') => go(`${LOG}${path}`) };
}

const row = (page: Page, name: string) => page.locator('.log-row', { hasText: name });

test('nothing bars anyone from the log', async () => {
  const it = await openDashboard();
  const { page, go } = await openInBrowser(it, browser);
  const check = async (name: string, path: string) => {
    await go(`${LOG}${path}`);
    await expectAccessible(page, `log-${name}`);
  };
  await check('empty', '');
  const of = await fillLog(it);
  await check('list', '');
  await check('no-match', '?q=ana.lma@');
  await check('held', `/${of.held}`);
  await check('error', `/${of.unmatched}?status=error`);
  await check('mail', `/${of.failing}`);
  await check('ignored', `/${of.ignored}`);
  await check('unreadable', `/${of.unreadable}?addresses=shown`);
  const waiting = await recordOrder({ ...it.ports, stores: it.stores }, makeOrder(it.shop));
  await it.stores.deliveries.explainPending(it.shop.orgId, waiting.id, UNREADABLE_YET);
  await check('unreadable-yet', `/${waiting.id}`);
  await fillWith(it, 500);
  await check('full', '');
  expect(await page.locator('.log-row').count()).toBe(50);
});

test('a database that is away for a while leaves the open log as it is, and the log goes on by itself', async () => {
  const it = await open();
  await sendOrder(it, { orderId: '1' });
  await it.go();
  // As the server answers a fragment that it cannot make.
  const headers = { 'hx-retarget': 'body', 'hx-reselect': 'body > *', 'hx-reswap': 'innerHTML' };
  const away = { status: 503, contentType: 'text/html', headers, body: '<main>The database is away</main>' };
  await it.page.route('**/webhook-log/live*', (route) => route.fulfill(away));
  await it.page.getByText('No answer, trying again').waitFor();
  expect(await row(it.page, '#1').count()).toBe(1);
  await it.page.unroute('**/webhook-log/live*');
  await sendOrder(it, { orderId: '2' });
  await row(it.page, '#2').waitFor();
  await it.page.getByText('Live', { exact: true }).waitFor();
});

test('an open log whose session has ended goes to where one signs in', async () => {
  const it = await open();
  await sendOrder(it, { orderId: '1' });
  await it.go();
  await row(it.page, '#1').waitFor();
  await it.page.context().clearCookies();
  await it.page.waitForURL('**/dashboard/sign-in');
  await it.page.getByRole('button', { name: 'Mail me a link' }).waitFor();
});

test('an order shows up by itself, once, and goes on to what becomes of it', async () => {
  const it = await open();
  await sendOrder(it, { orderId: '1' });
  await it.go();
  await row(it.page, '#1').waitFor();
  const loaded = await it.page.evaluate<number>('performance.timeOrigin');
  const id = await sendOrder(it, { orderId: '2' });
  await row(it.page, '#2').waitFor();
  expect(await it.page.locator('.log-row .row-link').allTextContents()).toEqual(['#2', '#1']);
  expect(await it.page.locator('#log-news').textContent()).toBe('1 new entry');
  expect(await it.page.locator('#log-statuses').textContent()).toContain('All 2');
  await it.page.getByRole('link', { name: '#2' }).click();
  const entry = it.page.getByRole('article', { name: 'Order #2' });
  await entry.getByText('Pending').waitFor();
  // The mail server takes its receipt.
  const purchaseId = (await it.stores.deliveries.open(it.shop.orgId, id))?.lines[0]?.purchaseId ?? '';
  const receiptId = (await it.stores.mailings.find(it.shop.orgId, purchaseId))?.receipt?.id ?? '';
  const sent = { kind: 'sent', at: it.clock.now(), answer: '250 OK' } as const;
  await completeEmail(it.stores, it.shop.orgId, receiptId, it.clock.now(), sent);
  await row(it.page, '#2').getByText('Success').waitFor();
  await entry.getByText('Success').waitFor();
  expect(await it.page.locator('.log-row').count()).toBe(2);
  expect(await it.page.evaluate<number>('performance.timeOrigin')).toBe(loaded);
});

test('the first order of all takes the place of the words', async () => {
  const it = await open();
  await it.go();
  await it.page.getByText('No deliveries yet').waitFor();
  await sendOrder(it, { orderId: '1' });
  await row(it.page, '#1').waitFor();
  await it.page.getByText('No deliveries yet').waitFor({ state: 'detached' });
});

test('a paused log stands still, and goes on where it was told to', async () => {
  const it = await open();
  await sendOrder(it, { orderId: '1' });
  await it.go();
  await it.page.getByRole('button', { name: 'Pause' }).click();
  await it.page.getByText('Paused').waitFor();
  let polls = 0;
  it.page.on('request', (request) => {
    if (request.url().includes('/live')) polls += 1;
  });
  await sendOrder(it, { orderId: '2' });
  // Two more turns of the clock that it asks by.
  await it.page.evaluate(`new Promise((passed) => {
    let turns = 0;
    document.addEventListener('htmx:before:request', () => (turns += 1) === 2 && passed());
  })`);
  expect([polls, await it.page.locator('.log-row').count()]).toEqual([0, 1]);
  await it.page.getByRole('button', { name: 'Pause' }).click();
  await row(it.page, '#2').waitFor();
});

test('an entry opens beside the list, which stays live, and back leads back', async () => {
  const it = await open();
  const of = await fillLog(it);
  await it.go('?connection=');
  await it.page.getByRole('link', { name: '#1186' }).click();
  await it.page.getByRole('heading', { name: 'Order #1186' }).waitFor();
  expect(new URL(it.page.url()).pathname).toBe(`${LOG}/${of.held}`);
  expect(await it.page.locator('.log-row[aria-current]').count()).toBe(1);
  await sendOrder(it, { orderId: '7' });
  await row(it.page, '#7').waitFor();
  expect(await it.page.locator('.log-row[aria-current] .row-link').textContent()).toBe('#1186');
  await it.page.getByRole('link', { name: '#4998' }).click();
  await it.page.getByRole('heading', { name: 'Order #4998' }).waitFor();
  await it.page.goBack();
  await it.page.getByRole('heading', { name: 'Order #1186' }).waitFor();
  await sendOrder(it, { orderId: '8' });
  await row(it.page, '#8').waitFor();
});

test('list and entry are worked by keyboard alone', async () => {
  const it = await open();
  const of = await fillLog(it);
  await it.stores.products.change(it.shop.orgId, it.shop.product.id, { slug: 'bundle-xmas' }, it.clock.now());
  await it.go();
  const focusOn = async (words: string) => {
    for (let at = 0; at < 60; at += 1) {
      if ((await focusedWords(it.page)) === words) return;
      await it.page.keyboard.press('Tab');
    }
    throw new Error(`“${words}” cannot be reached.`);
  };
  await focusOn('#4998');
  await it.page.keyboard.press('Enter');
  await it.page.getByRole('heading', { name: 'Order #4998' }).waitFor();
  await focusOn('Deliver again');
  await it.page.keyboard.press('Enter');
  await it.page.getByRole('status').getByText('Order #4998 was processed again').waitFor();
  await it.page.getByText('Processed 2 times').waitFor();
  expect(new URL(it.page.url()).pathname).toBe(`${LOG}/${of.unmatched}`);
});

test('the log is searched while one types, and goes on being live', async () => {
  const it = await open();
  await fillLog(it);
  await it.go();
  await it.page.getByLabel('Search the log').pressSequentially('mia@');
  await row(it.page, '#1186').waitFor({ state: 'detached' });
  await it.page.waitForURL(`**${LOG}?q=mia*`);
  expect(await focusedId(it.page)).toBe('q');
  await sendOrder(it, { orderId: '7', email: 'mia@example.com' });
  await sendOrder(it, { orderId: '8', email: 'ana@example.com' });
  await row(it.page, '#7').waitFor();
  expect(await it.page.locator('.log-row .row-link').allTextContents()).toEqual(['#7', '#5002']);
});

test('on a phone an entry is a page of its own, and leads back to the list', async () => {
  const it = await open(SCREENS.phone);
  await fillLog(it);
  await it.go();
  await it.page.getByRole('link', { name: '#1186' }).click();
  await it.page.getByRole('heading', { name: 'Order #1186' }).waitFor();
  expect(await it.page.getByRole('link', { name: '#4998' }).isVisible()).toBe(false);
  await it.page.getByRole('main').getByRole('link', { name: 'Webhook log' }).click();
  await it.page.getByRole('link', { name: '#4998' }).waitFor();
  expect(await measureOverflow(it.page)).toBe(0);
});

test('all of it works without a script', async () => {
  const it = await open({ javaScriptEnabled: false });
  await fillLog(it);
  await it.go();
  expect(await it.page.getByRole('button', { name: 'Pause' }).isVisible()).toBe(false);
  await sendOrder(it, { orderId: '7' });
  await it.page.getByRole('link', { name: 'Reload' }).click();
  await row(it.page, '#7').waitFor();
  await it.page.getByRole('link', { name: '#1186' }).click();
  await it.page.getByRole('heading', { name: 'Order #1186' }).waitFor();
  await it.page.getByRole('link', { name: 'Show addresses' }).click();
  await it.page.getByText('"email": "ana@example.com"').first().waitFor();
});

test('nothing that the policy forbids is tried', async () => {
  const it = await open();
  const of = await fillLog(it);
  const complaints: string[] = [];
  it.page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await it.go(`/${of.held}`);
  await sendOrder(it, { orderId: '7' });
  await row(it.page, '#7').waitFor();
  expect(complaints).toEqual([]);
});

function focusedWords(page: Page): Promise<string> {
  return page.evaluate<string>('document.activeElement.textContent.trim()');
}

function focusedId(page: Page): Promise<string> {
  return page.evaluate<string>('document.activeElement.id');
}

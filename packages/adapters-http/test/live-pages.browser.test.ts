import { makeOrder, recordOrder } from '@handover/testkit';
import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { measureOverflow, SCREENS, useBrowser } from '../../../test/browser.ts';
import { fillLog, sendOrder } from './fill-log.ts';
import { openDashboard } from './open-dashboard.ts';
import { hurry, openInBrowser } from './open-in-browser.ts';
import { completeReceipt, deliverOrder } from './sell-purchases.ts';

const browser = useBrowser();

/** What screen readers say of the page’s region for news. */
const OBSERVE_NEWS = `
  window.said = [];
  document.addEventListener('DOMContentLoaded', () => {
    const region = document.getElementById('news');
    new MutationObserver(() => window.said.push(region.textContent)).observe(region, { childList: true });
  });
`;

const said = (page: Page) => page.evaluate<string[]>('window.said');
const focused = (page: Page) =>
  page.evaluate<string>('document.activeElement.id || document.activeElement.textContent.trim()');

async function open(options: Parameters<typeof openInBrowser>[2] = {}) {
  const dashboard = await openDashboard();
  const opened = await openInBrowser(dashboard, browser, options);
  await opened.context.addInitScript(OBSERVE_NEWS);
  return { dashboard, ...opened };
}

test.each([
  ['purchases', '1 purchase', 'No purchases found'],
  ['products', '1 product', 'No products found'],
  ['webhook-log', '1 entry', 'No entries found'],
])('a search of %s says once what it found', async (list, one, none) => {
  const { dashboard, page, go } = await open();
  await deliverOrder(dashboard, { orderNumber: 'pads-77' });
  await go(`/dashboard/${list}`);
  await page.keyboard.press('/');
  // At once: on a busy machine a slow typist waits for results, and hears those of half a word.
  await page.keyboard.insertText('pads');
  await expect.poll(() => said(page), { timeout: 20_000 }).toEqual([one]);
  await page.keyboard.insertText('-none');
  await expect.poll(() => said(page), { timeout: 20_000 }).toEqual([one, none]);
  expect(await focused(page)).toBe('q');
});

test.each([
  ['desktop', SCREENS.desktop],
  ['phone', SCREENS.phone],
] as const)('an entry that opens on a %s has the focus', async (_, screen) => {
  const { dashboard, page, go } = await open(screen);
  const { held } = await fillLog(dashboard);
  await go('/dashboard/webhook-log');
  const link = page.getByRole('link', { name: '#1186' });
  await link.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page), { timeout: 20_000 }).toBe(`entry-${held}`);
  expect(await page.evaluate<number>('scrollY')).toBe(0);
  expect(await said(page)).toEqual([]);
});

test('Escape leads from an entry to its row, j to the next one, and the back button to the former entry', async () => {
  const { dashboard, page, go } = await open();
  const { held } = await fillLog(dashboard);
  await go('/dashboard/webhook-log');
  const links = await page.locator('.log-row .row-link').allTextContents();
  await page.getByRole('link', { name: '#1186' }).press('Enter');
  await expect.poll(() => focused(page), { timeout: 20_000 }).toBe(`entry-${held}`);
  await page.keyboard.press('j');
  expect(await focused(page)).toBe(links[links.indexOf('#1186') + 1]);
  await page.locator(`#entry-${held}`).focus();
  await page.keyboard.press('Escape');
  expect(await focused(page)).toBe('#1186');

  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page), { timeout: 20_000 }).not.toBe(`entry-${held}`);
  await page.locator(`#entry-${held}`).waitFor({ state: 'detached' });
  await page.goBack();
  await expect.poll(() => focused(page), { timeout: 20_000 }).toBe(`entry-${held}`);
  // The dialogs of the page still work.
  await page.keyboard.press('Control+k');
  expect(await focused(page)).toBe('everywhere-dialog');
  await page.keyboard.press('Escape');
  await page.goBack();
  await expect.poll(() => focused(page), { timeout: 20_000 }).toBe('#1186');
});

test('the first links of a page with an open entry skip to the content and to the entry', async () => {
  const { dashboard, page, go } = await open();
  const { held } = await fillLog(dashboard);
  await go(`/dashboard/webhook-log/${held}`);
  await page.getByRole('link', { name: 'Skip to the content' }).press('Enter');
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Skip to the open entry');
  await page.keyboard.press('Enter');
  expect(await focused(page)).toBe(`entry-${held}`);
});

test('a menu closes when the focus leaves it, but not for a dialog that it opens', async () => {
  const { page, go } = await open();
  await go('/dashboard/overview');
  const summary = page.locator('.side .who summary');
  expect(await summary.textContent()).toMatch(/^Your account, /);
  await summary.press('Enter');
  const signOut = page.locator('.side').getByRole('button', { name: 'Sign out', exact: true });
  await signOut.focus();
  expect(await signOut.isVisible()).toBe(true);
  const shortcuts = page.locator('.side').getByRole('button', { name: 'Keyboard shortcuts' });
  await shortcuts.press('Enter');
  await page.getByRole('button', { name: 'Close' }).press('Enter');
  expect(await focused(page)).toBe('Keyboard shortcuts');
  await page.locator('.side [data-switch-theme]').focus();
  await signOut.waitFor({ state: 'hidden' });
});

test('the focus stays on its button when a poll replaces what is around it, and the new status is said', async () => {
  const { dashboard, page, go } = await open();
  await hurry(page);
  const { purchaseId, receiptId } = await deliverOrder(dashboard);
  await go(`/dashboard/purchases/${purchaseId}`);
  await page.getByRole('button', { name: 'Copy link' }).focus();
  await completeReceipt(dashboard, receiptId, 'sent', '250 OK');
  await page.locator('.page-title').getByText('Delivered').waitFor();
  await expect.poll(() => said(page), { timeout: 20_000 }).toEqual(['Delivered']);
  expect(await focused(page)).toBe('Copy link');
});

test('a menu stays open while it is pressed, though its press gives the focus to what is around it', async () => {
  const { dashboard, page, go } = await open();
  await go(`/dashboard/products/${dashboard.shop.product.id}`);
  await page.locator('main details.menu > summary').click();
  const menu = page.locator('main .menu-list');
  const { x, y } = (await menu.boundingBox()) ?? { x: 0, y: 0 };
  await page.mouse.move(x + 2, y + 2);
  await page.mouse.down();
  // Safari gives it to the page when a button is pressed, too.
  expect(await focused(page)).toBe('main');
  expect(await page.locator('main details.menu').getAttribute('open')).not.toBe(null);
  await page.mouse.up();
  await page.getByRole('heading', { level: 1 }).click();
  await menu.waitFor({ state: 'hidden' });
});

test('Escape closes a dialog alone, and the focus is back in the menu that opened it', async () => {
  const { page, go } = await open();
  await go('/dashboard/overview');
  await page.locator('.side .who summary').press('Enter');
  await page.locator('.side').getByRole('button', { name: 'Keyboard shortcuts' }).press('Enter');
  const dialog = page.getByRole('heading', { name: 'Keyboard shortcuts' });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  expect(await focused(page)).toBe('Keyboard shortcuts');
  await page.keyboard.press('Escape');
  expect(await focused(page)).toMatch(/^Your account, /);
});

test('the keys still work when a refused search has replaced the whole page', async () => {
  const { dashboard, page, go } = await open();
  await deliverOrder(dashboard);
  await go('/dashboard/purchases?to=2026-01-01');
  await page.getByLabel('From this day').fill('2026-02-01');
  await page.getByRole('alert').getByText('must not be after').waitFor();
  expect(await focused(page)).toBe('from');
  await page.keyboard.press('Control+k');
  expect(await focused(page)).toBe('everywhere-dialog');
});

test('what gets the focus on a phone is not below the bar, nor is a button that is only for keyboards unseen', async () => {
  const { page, go } = await open(SCREENS.phone);
  await go('/dashboard/settings/organisation');
  await page.evaluate('scrollTo(0, document.body.scrollHeight)');
  await page.getByLabel('Reply address').focus();
  const bar = await page.locator('header.bar').boundingBox();
  const top = async (name: string) => (await page.getByLabel(name).boundingBox())?.y ?? 0;
  await expect.poll(() => top('Reply address')).toBeGreaterThan((bar?.height ?? 999) + 2);

  await go('/dashboard/products');
  await page.getByLabel('Status').focus();
  await page.keyboard.press('Tab');
  const search = page.getByRole('button', { name: 'Search', exact: true });
  expect(await search.evaluate((button) => button.matches(':focus'))).toBe(true);
  expect((await search.boundingBox())?.height).toBeGreaterThanOrEqual(24);
  expect(await measureOverflow(page)).toBe(0);
});

/** Holds the first request of a kind until its answer is wanted: it comes after that of a later one. */
async function holdFirst(page: Page, address: string) {
  const { promise, resolve } = Promise.withResolvers<Route>();
  await page.route(address, resolve, { times: 1 });
  return promise;
}

test('the log stays with a search, though the answer to a poll from before it comes later', async () => {
  const { dashboard, page, go } = await open();
  await hurry(page);
  await fillLog(dashboard);
  await go('/dashboard/webhook-log');
  const poll = await holdFirst(page, '**/webhook-log/live?*');
  await sendOrder(dashboard, { orderId: '5003' });
  await page.getByLabel('Search the log').fill('nobody');
  await page.getByText('Nothing for “nobody”').waitFor();
  // The browser may have given it up.
  await poll.continue().catch(() => undefined);
  const asked = async () => {
    const request = await page.waitForRequest((one) => one.url().includes('/webhook-log/live?'));
    return new URL(request.url()).searchParams.get('q');
  };
  expect([await asked(), await asked(), await asked()]).toEqual(['nobody', 'nobody', 'nobody']);
});

test('of two entries that are opened one after another, the last one stays open', async () => {
  const { dashboard, page, go } = await open();
  const { held, delivered } = await fillLog(dashboard);
  await go('/dashboard/webhook-log');
  const first = holdFirst(page, `**/webhook-log/${delivered}`);
  await page.locator(`#row-${delivered} .row-link`).click();
  const late = await first;
  await page.locator(`#row-${held} .row-link`).click();
  await page.locator(`#entry-${held}`).waitFor();
  await late.continue().catch(() => undefined);
  await (await late.request().response())?.finished();
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  await page.locator(`#entry-${held}`).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/dashboard/webhook-log/${held}`);
});

test('an entry that is opened stays, though the answer to a poll of the one before comes later', async () => {
  const { dashboard, page, go } = await open();
  await hurry(page);
  const { ports, stores, shop } = dashboard;
  const record = (orderId: string) =>
    recordOrder({ ...ports, stores }, makeOrder(shop, { orderId, orderNumber: `#${orderId}` }));
  const [before, opened] = [await record('7001'), await record('7002')];
  await go(`/dashboard/webhook-log/${before.id}`);
  const late = await holdFirst(page, `**/webhook-log/${before.id}`);
  await page.locator(`#row-${opened.id} .row-link`).click();
  await page.locator(`#entry-${opened.id}`).waitFor();
  await late.continue().catch(() => undefined);
  await (await late.request().response())?.finished();
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  expect(await page.locator('#entry-title').textContent()).toContain('#7002');
});

import { expect, test } from 'vitest';
import { SCREENS, useBrowser } from '../../../test/browser.ts';
import { expectAccessible } from '../../../test/every-view.ts';
import { openDashboard } from './open-dashboard.ts';
import { openInBrowser } from './open-in-browser.ts';
import { deliverOrder, sendUnmatched } from './sell-purchases.ts';

const browser = useBrowser();

async function openSales() {
  const dashboard = await openDashboard();
  await deliverOrder(dashboard, { orderId: '9001', orderNumber: '#1251' });
  await sendUnmatched(dashboard, 'KEYS', '1252');
  return dashboard;
}

test('Ctrl-K opens a dialog that finds while one types, and the keys choose', async () => {
  const { page, go } = await openInBrowser(await openSales(), browser);
  await go('/dashboard/products');
  const dialog = page.getByRole('dialog', { name: 'Search everywhere' });
  const field = dialog.getByLabel('Search everywhere');
  await page.keyboard.press('Control+k');
  await field.waitFor();
  await page.keyboard.type('125');
  await dialog.getByRole('link', { name: /#1252/ }).waitFor();
  await dialog.getByText('2 results').waitFor({ state: 'attached' });
  await expectAccessible(page, 'search-dialog');
  const focused = () => page.evaluate<string>('document.activeElement.textContent.trim()');
  await page.keyboard.press('ArrowDown');
  expect(await focused()).toMatch(/^#1251/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  expect(await focused()).toMatch(/^#1252/);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  // Who types on changes the text.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('x');
  expect(await field.inputValue()).toBe('125x');
  await dialog.getByRole('heading', { name: 'Nothing for “125x”' }).waitFor();
  await expectAccessible(page, 'search-dialog-no-match');
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'hidden' });

  await page.keyboard.press('Control+k');
  await field.fill('#1252');
  await dialog.locator('[data-for="#1252"]').waitFor({ state: 'attached' });
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/webhook-log\/[0-9a-f-]+/);
});

test('while no answer comes, the dialog keeps what was typed and says so', async () => {
  const { page, go } = await openInBrowser(await openSales(), browser);
  await go('/dashboard/overview');
  // A page without a list of its own.
  await page.keyboard.press('/');
  const dialog = page.getByRole('dialog', { name: 'Search everywhere' });
  await page.route('**/dashboard/search/results?*', (route) => route.abort());
  await dialog.getByLabel('Search everywhere').fill('pads');
  await dialog.getByRole('alert').getByText('Your text is kept').waitFor();
  await page.unroute('**/dashboard/search/results?*');
  // Enter leads to the page, whatever the dialog shows.
  await page.keyboard.press('Enter');
  await page.getByRole('main').getByRole('link', { name: /^Pads/ }).waitFor();
  await page.getByRole('main').getByLabel('Search everywhere').fill('ana');
  await page
    .getByRole('main')
    .getByRole('link', { name: /Ana Lima/ })
    .waitFor();
  await page.waitForURL('**/dashboard/search?q=ana');
  await page.keyboard.press('Control+k');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('j');
  // An order of hers that failed stands before the buyer.
  expect(await page.evaluate<string>('document.activeElement.textContent.trim()')).toMatch(/^#1252/);
  await page.keyboard.press('j');
  expect(await page.evaluate<string>('document.activeElement.textContent.trim()')).toMatch(/^Ana Lima/);
});

test('without a script the search is a page, on a phone as well', async () => {
  const { page, go } = await openInBrowser(await openSales(), browser, {
    ...SCREENS.phone,
    javaScriptEnabled: false,
  });
  await go('/dashboard/products');
  await page.getByRole('link', { name: 'Search everywhere' }).click();
  await page.getByLabel('Search everywhere').fill('1251');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: /#1251/ }).click();
  await page.waitForURL(/\/purchases\/[0-9a-f-]+/);
});

test('its page is accessible', async () => {
  const { page, go } = await openInBrowser(await openSales(), browser);
  for (const [name, query] of [
    ['blank', ''],
    ['found', '?q=a'],
    ['none', '?q=zzz'],
  ] as const) {
    await go(`/dashboard/search${query}`);
    await expectAccessible(page, `search-${name}`);
  }
});

import { beginBulk, continueBulk } from '@handover/domain';
import { byOwner } from '@handover/testkit';
import { expect, test } from 'vitest';
import { keepPicture, SCREENS, useBrowser } from '../../../test/browser.ts';
import { expectAccessible } from '../../../test/every-view.ts';
import { openDashboard } from './open-dashboard.ts';
import { hurry, openInBrowser } from './open-in-browser.ts';
import { completeReceipt, deliverOrder, sendUnmatched } from './sell-purchases.ts';

const browser = useBrowser();

async function openSales() {
  const dashboard = await openDashboard();
  for (const number of ['1001', '1002', '1003']) {
    const customer = { name: `Buyer ${number}`, email: `b${number}@example.com` };
    const sale = await deliverOrder(dashboard, { orderId: number, orderNumber: `#${number}`, customer });
    if (number !== '1003') await completeReceipt(dashboard, sale.receiptId, 'sent', 'ok');
  }
  return dashboard;
}

test('purchases are selected with the keyboard, revoked after a question, and restored', async () => {
  const { page, go } = await openInBrowser(await openSales(), browser);
  await go('/dashboard/purchases');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.getByRole('status').getByText('1 selected').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.getByRole('status').getByText('2 selected').waitFor();
  // A box takes the space bar, and the list's keys go on from it.
  await page.getByLabel('Select #1002').focus();
  await page.keyboard.press('Space');
  await page.getByRole('status').getByText('1 selected').waitFor();
  await page.keyboard.press('j');
  expect(await page.evaluate<string>('document.activeElement.textContent.trim()')).toMatch(/^#1001, /);
  const wholePage = page.getByLabel('Select all on this page');
  await wholePage.check();
  await page.getByRole('status').getByText('3 selected').waitFor();
  await expectAccessible(page, 'purchases-selected');
  for (const width of [320, 768, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    await keepPicture(`purchases-selected-${width}`, () => page.screenshot());
  }
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.getByRole('button', { name: 'Revoke', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Revoke 3 purchases?' }).waitFor();
  await expectAccessible(page, 'purchases-bulk-question');
  await page.getByRole('button', { name: 'Revoke 3 purchases' }).click();
  await page.getByRole('heading', { level: 1, name: '3 purchases revoked' }).waitFor();
  await expectAccessible(page, 'purchases-bulk-result');
  await page.getByRole('link', { name: 'Back to the list' }).click();
  await page.locator('.badge', { hasText: 'Revoked' }).first().waitFor();
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: '3 purchases revoked' }).waitFor();
});

test('the buttons for selected purchases can be pressed once one is selected, also after a search', async () => {
  const { page, go } = await openInBrowser(await openSales(), browser);
  await go('/dashboard/purchases');
  const button = page.getByRole('button', { name: 'Send again' });
  const every = page.getByLabel('All that match, on every page');
  expect(await button.isDisabled()).toBe(true);
  await every.check();
  expect(await button.isDisabled()).toBe(false);
  await every.uncheck();
  expect(await button.isDisabled()).toBe(true);
  await page.getByLabel('Search purchases').fill('1002');
  await page.getByText('1 purchase matches.').waitFor();
  await page.locator('.bulk-bar button:disabled').first().waitFor();
  await page.getByLabel('Select #1002').check();
  expect(await button.isDisabled()).toBe(false);
});

test('without a script, on a phone, receipts are sent again to all that match', async () => {
  const { page, go } = await openInBrowser(await openSales(), browser, {
    ...SCREENS.phone,
    javaScriptEnabled: false,
  });
  await go('/dashboard/purchases');
  expect(await page.getByLabel('Select all on this page').isVisible()).toBe(false);
  await page.getByLabel('All that match, on every page').check();
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('Left out: 1, since its receipt is on the way already.').waitFor();
  await page.getByRole('button', { name: 'Send 2 receipts again' }).click();
  await page.getByRole('heading', { level: 1, name: '2 receipts sent again' }).waitFor();
});

test('orders that failed are selected and delivered again', async () => {
  const dashboard = await openDashboard();
  for (const number of ['1252', '1253']) await sendUnmatched(dashboard, 'KEYS', number);
  const { page, go } = await openInBrowser(dashboard, browser);
  await go('/dashboard/webhook-log?status=error');
  await page.getByRole('link', { name: 'Deliver several again' }).click();
  await page.getByLabel('Select all on this page').check();
  await page.getByRole('status').getByText('2 selected').waitFor();
  await expectAccessible(page, 'log-deliver-again');
  for (const width of [768, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    await keepPicture(`log-deliver-again-${width}`, () => page.screenshot());
  }
  await page.getByRole('button', { name: 'Deliver again' }).click();
  await page.getByText('2 orders processed again').waitFor();
});

/** Begins to revoke all, of which a job does the next ones when the test says so. */
async function beginRevocation() {
  const dashboard = await openSales();
  const { ports, shop, clock } = dashboard;
  const bulkId = ports.ids.next();
  const by = await byOwner(dashboard.stores, shop.orgId);
  const asked = {
    id: bulkId,
    orgId: shop.orgId,
    action: 'revoke',
    askedAt: clock.now(),
    total: 1204,
    by,
  } as const;
  await beginBulk(ports, asked, { text: '', productId: null, customerId: null, source: null, receipt: null });
  const revokeNext = (count: number) => continueBulk(ports, { orgId: shop.orgId, bulkId }, count);
  return { dashboard, address: `/dashboard/purchases/bulk/${bulkId}`, revokeNext };
}

test('a page follows a bulk action that a job does, and cancels it, with and without a script', async () => {
  const { dashboard, address, revokeNext } = await beginRevocation();
  const { page, go } = await openInBrowser(dashboard, browser);
  const look = async (name: string) => {
    await expectAccessible(page, name);
    await page.setViewportSize({ width: 320, height: 800 });
    await keepPicture(`${name}-320`, () => page.screenshot({ fullPage: true }));
    await page.setViewportSize({ width: 1280, height: 800 });
  };
  await go(address);
  await page.getByText('0 purchases revoked so far. 0 of 1,204 purchases checked.').waitFor();
  await revokeNext(2);
  await page.getByText('2 purchases revoked so far. 2 of 1,204 purchases checked.').waitFor();
  await look('bulk-running');
  const plain = await openInBrowser(dashboard, browser, { ...SCREENS.phone, javaScriptEnabled: false });
  await plain.go(address);
  await plain.page.getByRole('link', { name: 'Reload' }).click();
  await plain.page.getByRole('button', { name: 'Cancel the rest' }).click();
  await plain.page.getByRole('heading', { level: 1, name: '2 purchases revoked' }).waitFor();
  await page.getByRole('heading', { level: 1, name: '2 purchases revoked' }).waitFor();
  expect(await page.getByRole('button', { name: 'Cancel the rest' }).count()).toBe(0);
  await look('bulk-cancelled');
});

test('a page that follows a bulk action keeps what it shows while a proxy answers 502, and goes on', async () => {
  const { dashboard, address, revokeNext } = await beginRevocation();
  const { page, go } = await openInBrowser(dashboard, browser);
  await hurry(page);
  await go(address);
  const before = page.getByText('0 purchases revoked so far.');
  await before.waitFor();
  let failures = 0;
  await page.route(`**${address}`, (route) => {
    failures += 1;
    return route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' });
  });
  await expect.poll(() => failures).toBeGreaterThan(1);
  expect(await before.isVisible()).toBe(true);
  await page.unroute(`**${address}`);
  await revokeNext(2);
  await page.getByText('2 purchases revoked so far.').waitFor();
});

test('a button whose form is on its way stays busy while the page follows a bulk action', async () => {
  const { dashboard, address, revokeNext } = await beginRevocation();
  const { page, go } = await openInBrowser(dashboard, browser);
  await go(address);
  const late = Promise.withResolvers<void>();
  let sent = 0;
  await page.route(`**${address}/cancel`, async (route) => {
    sent += 1;
    await late.promise;
    await route.continue();
  });
  // No question to the page is answered while its form is on its way.
  await page.evaluate(`document.addEventListener('htmx:after:swap', () => {
    const button = document.querySelector('[data-bulk-now] button');
    button.click();
    console.info(button.ariaBusy);
  })`);
  const busy = page.waitForEvent('console');
  await page.getByRole('button', { name: 'Cancel the rest' }).click({ noWaitAfter: true });
  await revokeNext(2);
  expect((await busy).text()).toBe('true');
  late.resolve();
  await page.getByRole('heading', { level: 1, name: '2 purchases revoked' }).waitFor();
  expect(sent).toBe(1);
});

test('a page that follows a bulk action keeps the keyboard focus', async () => {
  const { dashboard, address, revokeNext } = await beginRevocation();
  const { page, go } = await openInBrowser(dashboard, browser);
  await hurry(page);
  await go(address);
  await page.getByRole('button', { name: 'Cancel the rest' }).focus();
  await revokeNext(2);
  await page.getByText('2 purchases revoked so far.').waitFor();
  expect(await page.evaluate<string>('document.activeElement.textContent.trim()')).toBe('Cancel the rest');
});

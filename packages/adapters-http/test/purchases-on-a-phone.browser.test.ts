import { sampleOrder } from '@handover/platform-storefront-a/testing';
import { expect, test } from 'vitest';
import { useBrowser } from '../../../test/browser.ts';
import { sendBody } from './fill-log.ts';
import { openDashboard } from './open-dashboard.ts';
import { openInBrowser } from './open-in-browser.ts';
import { deliverOrder } from './sell-purchases.ts';

const browser = useBrowser();

async function open() {
  const dashboard = await openDashboard();
  return { ...dashboard, ...(await openInBrowser(dashboard, browser)) };
}

test('the filters open at a tap on a phone, and are there at once on other screens', async () => {
  const opened = await open();
  await deliverOrder(opened);
  const { page } = opened;
  const status = page.getByLabel('Status');
  await page.setViewportSize({ width: 320, height: 700 });
  await opened.go('/dashboard/purchases');
  expect(await status.isVisible()).toBe(false);
  await page.getByText('Filters', { exact: true }).click();
  await status.waitFor({ state: 'visible' });
  await status.selectOption('revoked');
  await page.waitForURL(/status=revoked/);
  await page.getByText('1 set').waitFor();
  await page.reload();
  expect(await status.isVisible()).toBe(true);
  await page.setViewportSize({ width: 1024, height: 700 });
  await opened.go('/dashboard/purchases');
  expect(await page.getByText('Filters', { exact: true }).isVisible()).toBe(false);
  await page.getByLabel('Receipt').focus();
  await page.keyboard.press('Tab');
  expect(await status.evaluate((field) => field.matches(':focus'))).toBe(true);
});

test('a purchase takes two lines on a phone: who bought what, and then the order', async () => {
  const opened = await open();
  await deliverOrder(opened, { orderId: '5000', orderNumber: '#1000' });
  await sendBody(opened, sampleOrder({ id: '5000', financial_status: 'refunded' }));
  await deliverOrder(opened);
  await opened.page.setViewportSize({ width: 390, height: 700 });
  await opened.go('/dashboard/purchases');
  const row = opened.page.getByRole('row').nth(1);
  const box = async (text: string) => {
    const found = await row.getByText(text, { exact: true }).filter({ visible: true }).first().boundingBox();
    if (found === null) throw new Error(`${text} is not shown.`);
    return found;
  };
  const [name, order, amount] = [await box('Ana Lima'), await box('#1001'), await box('49.00 EUR')];
  expect(name.y + name.height).toBeLessThanOrEqual(order.y);
  expect(Math.abs(order.y - amount.y)).toBeLessThan(4);
  expect((await row.boundingBox())?.height).toBeLessThan(70);
  const refunded = opened.page.getByRole('row').filter({ hasText: '#1000' });
  expect(await refunded.getByText('Refund').filter({ visible: true }).count()).toBe(1);
  expect((await refunded.boundingBox())?.height).toBeLessThan(70);
});

test('the shop of a refunded purchase is on one line with its product on other screens', async () => {
  const opened = await open();
  await deliverOrder(opened, { orderId: '5000', orderNumber: '#1000' });
  await sendBody(opened, sampleOrder({ id: '5000', financial_status: 'refunded' }));
  await opened.page.setViewportSize({ width: 1440, height: 700 });
  await opened.go('/dashboard/purchases');
  const row = opened.page.getByRole('row').filter({ hasText: '#1000' });
  const topOf = async (column: number) =>
    (await row.getByRole('cell').nth(column).locator('bdi').filter({ visible: true }).first().boundingBox())
      ?.y;
  // The order's number is the header of its row.
  const [product, shop] = [await topOf(1), await topOf(2)];
  expect(Math.abs(Number(shop) - Number(product))).toBeLessThan(1);
});

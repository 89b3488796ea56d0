import { createProduct } from '@handover/domain';
import { expect, test } from 'vitest';
import { takePicture, useBrowser } from '../../../test/browser.ts';
import { runAxe } from '../../../test/run-axe.ts';
import { openDashboard } from './open-dashboard.ts';
import { openInBrowser } from './open-in-browser.ts';

const browser = useBrowser();

test('keys move in a list, focus the search and list themselves, but not while one types, nor when turned off', async () => {
  const dashboard = await openDashboard();
  await createProduct(dashboard.ports, dashboard.shop.orgId, { name: 'Keys', slug: 'keys' });
  const { page, go } = await openInBrowser(dashboard, browser);
  const focused = () => page.evaluate<string>('document.activeElement.textContent.trim()');
  await go('/dashboard/products');
  await page.keyboard.press('j');
  expect(await focused()).toBe('Keys');
  await page.keyboard.press('j');
  expect(await focused()).toBe('Pads');
  await page.keyboard.press('k');
  expect(await focused()).toBe('Keys');

  await page.keyboard.press('/');
  await page.keyboard.type('jk?/');
  expect(await page.getByLabel('Search products').inputValue()).toBe('jk?/');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await go('/dashboard/products');

  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  const heading = dialog.getByRole('heading', { name: 'Keyboard shortcuts' });
  await heading.waitFor();
  expect(await runAxe(page)).toEqual([]);
  await takePicture(page, 'dashboard-shortcuts');
  const box = await dialog.getByRole('checkbox').boundingBox();
  const close = await dialog.getByRole('button', { name: 'Close' }).boundingBox();
  const middleOf = (one: typeof box) => (one ? one.y + one.height / 2 : Number.NaN);
  expect(Math.abs(middleOf(box) - middleOf(close))).toBeLessThan(2);
  await dialog.getByRole('checkbox', { name: 'Use shortcuts in this browser' }).click();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await heading.waitFor({ state: 'hidden' });
  await page.keyboard.press('?');
  await page.keyboard.press('j');
  expect(await page.evaluate(`document.querySelector('dialog[open]')`)).toBe(null);
  expect(await focused()).not.toBe('Keys');

  await page.locator('.side .who summary').click();
  await page.locator('.side').getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await dialog.getByRole('checkbox').click();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await heading.waitFor({ state: 'hidden' });
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
});

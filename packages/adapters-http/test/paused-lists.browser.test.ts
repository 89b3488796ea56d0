import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../../../test/browser.ts';
import { fillLog } from './fill-log.ts';
import { openDashboard } from './open-dashboard.ts';
import { openInBrowser } from './open-in-browser.ts';

const browser = useBrowser();

async function open() {
  const dashboard = await openDashboard();
  return { ...(await openInBrowser(dashboard, browser)), ...(await fillLog(dashboard)) };
}

const readPause = (page: Page) =>
  page.evaluate<unknown>(`[
    document.querySelector('[data-live-words]').textContent,
    document.querySelector('[data-pause]').ariaPressed,
    document.querySelector('[data-polls][data-paused]') !== null,
  ]`);
const PAUSED = ['Paused', 'true', true];
const LIVE = ['Live', 'false', false];

test('a paused log stays paused while entries are opened and searched for, until it is resumed', async () => {
  const { page, go, held } = await open();
  await go('/dashboard/webhook-log');
  await page.getByRole('button', { name: 'Pause' }).click();
  expect(await readPause(page)).toEqual(PAUSED);
  await page.locator(`#row-${held} .row-link`).click();
  await page.locator(`#entry-${held}`).waitFor();
  expect(await readPause(page)).toEqual(PAUSED);
  await page.getByLabel('Search the log').fill('nobody');
  await page.getByText('Nothing for “nobody”').waitFor();
  expect(await readPause(page)).toEqual(PAUSED);
  await page.getByRole('button', { name: 'Pause' }).click();
  expect(await readPause(page)).toEqual(LIVE);
});

test('a paused list of downloads stays paused after a search, as its button says', async () => {
  const { page, go } = await open();
  await go('/dashboard/downloads?q=somebody');
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('searchbox').fill('nobody');
  await page.getByText('Nothing for “nobody”').waitFor();
  expect(await readPause(page)).toEqual(PAUSED);
});

import { createVersion } from '@handover/domain';
import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { SCREENS, useBrowser } from '../../../test/browser.ts';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { fillLongest } from './fill-longest.ts';
import { listPages } from './list-pages.ts';
import { openDashboard } from './open-dashboard.ts';
import { findSite, openInBrowser } from './open-in-browser.ts';
import { listen } from './over-the-wire.ts';
import { sellPads } from './sell-pads.ts';

const MAX_BYTES = 120_000;

const browser = useBrowser();

/** What the network carries until a page is whole of which nothing is kept: heads and bodies, as they are transferred. */
async function expectLight(page: Page, site: string, path: string, maxRequests = 12): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const addresses = new Map<string, string>();
  const weights = new Map<string, number>();
  session.on('Network.requestWillBeSent', ({ requestId, request }) => addresses.set(requestId, request.url));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
    weights.set(addresses.get(requestId)?.split('/').at(-1) ?? requestId, encodedDataLength),
  );
  await page.goto(`${site}${path}`, { waitUntil: 'load' });
  await page.evaluate('document.fonts.ready');
  await vi.waitFor(() => expect(weights.size).toBe(new Set(addresses.values()).size), WAIT_TIMEOUT_MS);
  await session.detach();
  const sum = [...weights.values()].reduce((total, bytes) => total + bytes, 0);
  expect
    .soft(
      [...weights.keys()].some((name) => name.endsWith('.woff2')),
      path,
    )
    .toBe(true);
  expect.soft(sum, `${path}: ${JSON.stringify([...weights])}`).toBeLessThan(MAX_BYTES);
  expect.soft(weights.size, `${path}: ${JSON.stringify([...weights])}`).toBeLessThanOrEqual(maxRequests);
}

test('every page of the dashboard is light on first load', async () => {
  const dashboard = await openDashboard();
  await fillLongest(dashboard);
  const { orgId, product } = dashboard.shop;
  // A page with uploads has scripts of its own.
  await createVersion(dashboard.ports, orgId, product.id, '1.1');
  const paths = await listPages(dashboard);
  expect(paths.size).toBeGreaterThan(35);
  const { page, site } = await openInBrowser(dashboard, browser);
  for (const path of [...paths.values(), '/dashboard/nowhere']) await expectLight(page, site, path);
});

test('the sign-in page is light too', async () => {
  const site = await findSite(await openDashboard());
  const page = await (await browser.open(SCREENS.phone)).newPage();
  await expectLight(page, site, '/dashboard/sign-in');
});

test('the buyers’ pages and the reference are light too', async () => {
  const sale = await sellPads();
  const site = `http://127.0.0.1:${await listen(sale.app)}`;
  const page = await (await browser.open(SCREENS.phone)).newPage();
  // The page, its styles, one font, one script and the mark: each further one is a trip of half a second on a slow phone.
  for (const path of [`/d/${sale.token}`, `/my/${sale.libraryToken}`, '/my', '/nowhere', '/']) {
    await expectLight(page, site, path, 5);
  }
  await expectLight(page, site, '/docs');
});

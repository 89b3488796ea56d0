import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../../../test/browser.ts';
import { fillLog } from './fill-log.ts';
import { openDashboard } from './open-dashboard.ts';
import { hurry, openInBrowser } from './open-in-browser.ts';

const browser = useBrowser();

const WORDS = 'Too many requests';
/** As a proxy does that limits requests, guards the site, or waits for a new version. */
const answerAsProxy = (status: number) => (route: Route) =>
  route.fulfill({ status, contentType: 'text/html', body: `<title>${status}</title><h1>${WORDS}</h1>` });

async function open() {
  const dashboard = await openDashboard();
  const opened = await openInBrowser(dashboard, browser);
  await hurry(opened.page);
  return { ...opened, ...(await fillLog(dashboard)) };
}

async function answerTwice(page: Page, address: string, status: number): Promise<void> {
  let answered = 0;
  await page.route(address, (route) => {
    answered += 1;
    return answerAsProxy(status)(route);
  });
  await expect.poll(() => answered, { timeout: 20_000 }).toBeGreaterThan(1);
}

test.each([429, 403, 404])('the log keeps its list while a proxy answers %d, and goes on', async (status) => {
  const { page, go } = await open();
  await go('/dashboard/webhook-log');
  await answerTwice(page, '**/webhook-log/live*', status);
  expect(await page.getByText(WORDS).count()).toBe(0);
  expect(await page.locator('.log-row').count()).toBe(6);
  await page.locator('.live-mark').getByText('No answer, trying again').waitFor();
  await page.unroute('**/webhook-log/live*');
  await page.locator('.live-mark').getByText('Live', { exact: true }).waitFor();
});

test('the log says so while a poll is not answered at all', async () => {
  const { page, go } = await open();
  await go('/dashboard/webhook-log');
  const late = Promise.withResolvers<void>();
  await page.route('**/webhook-log/live*', (route) => late.promise.then(() => route.continue()));
  // A tenth of a minute passes before the request itself is given up.
  await page.locator('.live-mark').getByText('No answer, trying again').waitFor({ timeout: 4000 });
  late.resolve();
  await page.locator('.live-mark').getByText('Live', { exact: true }).waitFor();
});

test('Overview keeps what needs somebody while a proxy answers 429', async () => {
  const { page, go } = await open();
  await go('/dashboard/overview');
  await answerTwice(page, '**/dashboard/overview', 429);
  await page.getByRole('heading', { name: 'Needs you' }).waitFor();
});

test('a search keeps its list while a proxy answers 429, and says so', async () => {
  const { page, go } = await open();
  await go('/dashboard/products');
  await page.route('**/products?*', answerAsProxy(429));
  await page.getByRole('searchbox').fill('pads');
  await page.getByRole('alert').getByText('No answer.').waitFor();
  await page.locator('#found').getByRole('link', { name: 'Pads' }).waitFor();
});

const AWAY = [
  ['a proxy answers 502', answerAsProxy(502)],
  ['the browser is offline', (route: Route) => route.abort('internetdisconnected')],
] as const;

test.each(AWAY)(
  'an entry that does not come because %s is at its address once it is loaded again',
  async (_, answer) => {
    const { page, go, held } = await open();
    await go('/dashboard/webhook-log');
    await page.route(`**/webhook-log/${held}`, answer);
    const list = page.locator('.log-row').first();
    await page.locator(`#row-${held} .row-link`).click();
    await list.waitFor({ state: 'detached' });
    await page.unroute(`**/webhook-log/${held}`);
    await page.reload();
    await page.locator(`#entry-${held}`).waitFor();
  },
);

test.each(AWAY)('the back button shows no other entry while %s', async (_, answer) => {
  const { page, go, held, delivered } = await open();
  await go(`/dashboard/webhook-log/${held}`);
  await page.locator(`#row-${delivered} .row-link`).click();
  await page.locator(`#entry-${delivered}`).waitFor();
  await page.route(`**/webhook-log/${held}`, answer);
  await page.evaluate('history.back()');
  await page.locator(`#entry-${delivered}`).waitFor({ state: 'detached' });
  await page.unroute(`**/webhook-log/${held}`);
  await page.reload();
  await page.locator(`#entry-${held}`).waitFor();
});

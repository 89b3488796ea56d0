import { expect, test } from 'vitest';
import { SCREENS, useBrowser } from '../../../test/browser.ts';
import { expectAccessible, lookEveryWay } from '../../../test/every-view.ts';
import { runAxe } from '../../../test/run-axe.ts';
import { openDashboard } from './open-dashboard.ts';
import { openInBrowser } from './open-in-browser.ts';
import { deliverOrder } from './sell-purchases.ts';

const browser = useBrowser();

/** The first result of a search, and a text that disappears with the next result. */
const SEARCHES = [
  ['/dashboard/purchases', 'Search purchases', 'Ana Lima'],
  ['/dashboard/products', 'Search products', 'Pads'],
  ['/dashboard/webhook-log', 'Search the log', '#1001'],
] as const;

test.each(SEARCHES)(
  'while no answer comes, %s keeps what it shows and says so beside the field',
  async (path, label, found) => {
    const dashboard = await openDashboard();
    await deliverOrder(dashboard);
    const { page, go } = await openInBrowser(dashboard, browser, SCREENS.phone);
    await go(path);
    const field = page.getByLabel(label);
    const shown = page.getByRole('main').getByText(found).first();
    const problem = page.getByRole('alert').getByText('Your text is kept');

    // As the server answers a fragment that it cannot make.
    const headers = { 'hx-retarget': 'body', 'hx-reselect': 'body > *', 'hx-reswap': 'innerHTML' };
    const away = {
      status: 503,
      contentType: 'text/html',
      headers,
      body: '<main>The database is away</main>',
    };
    await page.route(`**${path}?*q=*`, (route) => route.fulfill(away));
    await field.pressSequentially('zz');
    await problem.waitFor();
    expect([await shown.isVisible(), await field.inputValue()]).toEqual([true, 'zz']);
    await lookEveryWay(
      page,
      async (view) => {
        expect.soft(await runAxe(page), view.name).toEqual([]);
        await view.takePicture(`search-away${path.replaceAll('/', '-')}-${view.colours}`);
      },
      ['phone'],
    );

    await page.unroute(`**${path}?*q=*`);
    await page.route(`**${path}?*q=*`, (route) => route.abort());
    const asked = page.waitForRequest((request) => request.url().includes('zzy'));
    await field.press('y');
    await asked;
    expect([await shown.isVisible(), await problem.isVisible()]).toEqual([true, true]);

    await page.unroute(`**${path}?*q=*`);
    await field.press('x');
    await shown.waitFor({ state: 'detached' });
    await problem.waitFor({ state: 'hidden' });
    expect(await field.inputValue()).toBe('zzyx');
  },
);

test.each(SEARCHES)(
  '%s shows what was typed last, though the answer before was late',
  async (path, label, found) => {
    const dashboard = await openDashboard();
    await deliverOrder(dashboard);
    const { page, go } = await openInBrowser(dashboard, browser);
    await page.clock.install();
    await go(path);
    const field = page.getByLabel(label);
    const shown = page.getByRole('main').getByText(found).first();
    await shown.waitFor();
    const late = Promise.withResolvers<void>();
    await page.route(`**${path}?*q=*`, async (route) => {
      if (new URL(route.request().url()).searchParams.get('q') === 'z') await late.promise;
      // A browser that asked for something else meanwhile has given it up.
      await route.continue().catch(() => undefined);
    });
    for (const typed of ['z', 'zz', '']) {
      await field.fill(typed);
      await page.clock.runFor(300);
    }
    late.resolve();
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('');
    await shown.waitFor();
  },
);

test('while no answer comes, Activity keeps its list and says so beside its filters', async () => {
  const dashboard = await openDashboard();
  await deliverOrder(dashboard);
  const { page, go } = await openInBrowser(dashboard, browser);
  await go('/dashboard/settings/activity?what=all');
  const entry = page.getByRole('main').getByText('1 product delivered');
  await entry.waitFor();
  const problem = page.getByRole('alert').getByText('The list is as before');
  const gone = { status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' };
  await page.route('**/settings/activity?*', (route) => route.fulfill(gone));
  await page.getByLabel('What it is about').selectOption('products');
  await problem.waitFor();
  expect(await entry.isVisible()).toBe(true);
  await expectAccessible(page, 'activity-away');

  await page.unroute('**/settings/activity?*');
  await page.getByLabel('What it is about').selectOption('purchases');
  await entry.waitFor({ state: 'detached' });
  await problem.waitFor({ state: 'hidden' });
});

import { expect, test } from 'vitest';
import { useBrowser } from '../../../test/browser.ts';
import { fillLongest } from './fill-longest.ts';
import { fillOverview } from './fill-overview.ts';
import { openDashboard } from './open-dashboard.ts';
import { openFeltPiano } from './open-felt-piano.ts';
import { openInBrowser } from './open-in-browser.ts';
import { deliverOrder } from './sell-purchases.ts';

const browser = useBrowser();

/** In pixels, between its margins. */
const A4_WIDTH = 718;

const COLOURS = `(() => {
  const { backgroundColor, color } = getComputedStyle(document.body);
  return [backgroundColor, color].map((one) => one.match(/\\d+/g).map(Number).reduce((sum, part) => sum + part));
})()`;

test('what is current is marked where the system chooses the colours', async () => {
  const dashboard = await openDashboard();
  const { page, go } = await openInBrowser(dashboard, browser, { forcedColors: 'active' });
  await go('/dashboard/reports');
  const look = (selector: string) =>
    page.evaluate<string>(
      `(({ borderBottomColor, outlineStyle, outlineColor }) => [borderBottomColor, outlineStyle, outlineColor].join())(getComputedStyle(document.querySelector(${JSON.stringify(selector)})))`,
    );
  for (const links of ['.tabs-nav', '.period-links', '.nav']) {
    const [current, other] = await Promise.all([
      look(`${links} a[aria-current]`),
      look(`${links} a:not([aria-current])`),
    ]);
    expect([links, current]).not.toEqual([links, other]);
  }
});

test('a step that was reached is marked where the system chooses the colours', async () => {
  const dashboard = await openDashboard();
  const { purchaseId } = await deliverOrder(dashboard);
  const { page, go } = await openInBrowser(dashboard, browser, { forcedColors: 'active' });
  await go(`/dashboard/purchases/${purchaseId}`);
  const ground = `getComputedStyle(document.querySelector('.stops li[data-reached]'), '::before').backgroundColor`;
  expect(await page.evaluate(ground)).toBe(await page.evaluate('getComputedStyle(document.body).color'));
});

test('a chart shows what was not finished by its form', async () => {
  const dashboard = await openDashboard();
  await fillLongest(dashboard);
  const { page, go } = await openInBrowser(dashboard, browser);
  await go('/dashboard/reports');
  const edge = (selector: string, part: string | null, width: string) =>
    page.evaluate<string>(
      `getComputedStyle(document.querySelector('.day-chart ${selector}'), ${JSON.stringify(part)}).${width}`,
    );
  expect(await edge('rect[data-tone="quiet"]', null, 'strokeWidth')).toBe('1.5px');
  expect(await edge('li[data-mark="quiet"]', '::before', 'borderTopWidth')).not.toBe('0px');
  expect(await edge('li[data-mark="delivered"]', '::before', 'borderTopWidth')).toBe('0px');
});

test.each([true, false])(
  'paper has dark words in dark mode (with scripts: %s)',
  async (javaScriptEnabled) => {
    const dashboard = await openDashboard();
    const dark = { colorScheme: 'dark', javaScriptEnabled } as const;
    const { page, go } = await openInBrowser(dashboard, browser, dark);
    await go('/dashboard/purchases');
    const [ground = 0, ink = 0] = await page.evaluate<number[]>(COLOURS);
    expect(ground).toBeLessThan(ink);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const [paper = 0, print = 0] = await page.evaluate<number[]>(COLOURS);
    expect(paper).toBeGreaterThan(print);
  },
);

test('the page of a buyer has dark words on paper in dark mode', async () => {
  const page = await (await browser.open({ colorScheme: 'dark' })).newPage();
  await page.goto((await openFeltPiano()).address);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const [paper = 0, print = 0] = await page.evaluate<number[]>(COLOURS);
  expect(paper).toBeGreaterThan(print);
});

test('nothing on paper can be pressed, and no colour is on its way to another', async () => {
  const dashboard = await openDashboard();
  await fillOverview(dashboard);
  const { page, go } = await openInBrowser(dashboard, browser, { colorScheme: 'dark' });
  await go('/dashboard/reports/sales');
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  expect(await page.locator('.btn:visible, .period-links:visible').count()).toBe(0);
  await page.setViewportSize({ width: A4_WIDTH, height: 1000 });
  for (const path of ['overview', 'purchases', 'settings/activity', 'webhook-log']) {
    await go(`/dashboard/${path}`);
    const pressed =
      '.btn, .bar, .row-action, summary, a[download], .need-age a, header .link, input[name="id"]';
    expect(await page.locator(pressed).filter({ visible: true }).allTextContents(), path).toEqual([]);
  }
  const running = `document.getAnimations().map(({ effect }) => effect.target.outerHTML.slice(0, 80))`;
  expect(await page.evaluate(running)).toEqual([]);
});

test('switches and progress keep their own colours where the system forces its own', async () => {
  const dashboard = await openDashboard();
  const { page, go, site } = await openInBrowser(dashboard, browser, { forcedColors: 'active' });
  const adjusted = (selector: string, part = '') =>
    page.evaluate(`getComputedStyle(document.querySelector('${selector}'), '${part}').forcedColorAdjust`);
  await go('/dashboard/settings/integrations/storefront-a');
  expect(await adjusted('.switch', '::after')).toBe('none');
  for (const address of [`${site}/dashboard/overview`, (await openFeltPiano()).address]) {
    await page.goto(address);
    await page.evaluate(`document.querySelector('main').insertAdjacentHTML('beforeend',
      '<div class="sending"><progress value="0.4"></progress></div>')`);
    expect(await adjusted('progress'), address).toBe('none');
  }
});

import { expect, test } from 'vitest';
import { useBrowser } from '../../../test/browser.ts';
import { fillLongest } from './fill-longest.ts';
import { openDashboard } from './open-dashboard.ts';
import { openInBrowser } from './open-in-browser.ts';

const browser = useBrowser();

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

import { chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepPicture, type TestBrowser } from '../../../test/browser.ts';
import { findChromium } from '../../../test/chromium.ts';
import { measureLayout } from '../../../test/measure-layout.ts';
import { fillLongest } from './fill-longest.ts';
import { listPages } from './list-pages.ts';
import { openDashboard } from './open-dashboard.ts';
import { openInBrowser } from './open-in-browser.ts';

/** Of text on pages of the dashboard, and on those that buyers see. */
const TWICE_THE_SIZE = ['28px', '32px'];

let browser: TestBrowser & { close(): Promise<void> };
beforeAll(async () => {
  const { args = [], ...options } = await findChromium();
  const launched = await chromium.launch({
    ...options,
    args: [...args, '--blink-settings=defaultFontSize=32'],
  });
  browser = {
    open: (asked) => launched.newContext({ locale: 'en-GB', ...asked }),
    close: () => launched.close(),
  };
});
afterAll(() => browser.close());

test('every page can be read with text of twice the size, as the user has set it in the browser', async () => {
  const dashboard = await openDashboard();
  await fillLongest(dashboard);
  const { page, go } = await openInBrowser(dashboard, browser, {
    reducedMotion: 'reduce',
    viewport: { width: 1440, height: 900 },
  });
  const problems: string[] = [];
  for (const [kind, path] of await listPages(dashboard)) {
    await go(path);
    const size = await page.evaluate<string>(`getComputedStyle(document.querySelector('main')).fontSize`);
    if (!TWICE_THE_SIZE.includes(size)) problems.push(`${kind}: text of ${size}`);
    problems.push(...(await measureLayout(page)).map((problem) => `${kind}: ${problem}`));
    await keepPicture(`large-text-${kind.replaceAll(/\W+/g, '-')}`, () => page.screenshot());
  }
  expect(problems).toEqual([]);
});

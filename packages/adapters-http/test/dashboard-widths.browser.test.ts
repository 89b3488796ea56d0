import { expect, test } from 'vitest';
import { keepPicture, useBrowser } from '../../../test/browser.ts';
import { fillLongest } from './fill-longest.ts';
import { measureLayout } from './measure-layout.ts';
import { decodeHtml, type OpenedDashboard, openDashboard } from './open-dashboard.ts';
import { openInBrowser } from './open-in-browser.ts';

const browser = useBrowser();
const WIDTHS = [320, 768, 1024, 1440, 2560];
const COLOURS = ['light', 'dark'] as const;

test('every page can be read on every screen, in light and dark, however long its texts are', async () => {
  const dashboard = await openDashboard();
  await fillLongest(dashboard);
  const paths = await listPages(dashboard);
  expect(paths.size).toBeGreaterThan(35);
  const { page, go, context } = await openInBrowser(dashboard, browser, { reducedMotion: 'reduce' });
  const session = await context.newCDPSession(page);
  const problems: string[] = [];
  for (const [kind, path] of paths) {
    await go(path);
    for (const colorScheme of COLOURS) {
      await page.emulateMedia({ colorScheme });
      for (const width of WIDTHS) {
        const screen = { width, height: 900, deviceScaleFactor: 1, mobile: false };
        await session.send('Emulation.setDeviceMetricsOverride', screen);
        const found = await measureLayout(page);
        problems.push(...found.map((problem) => `${kind} at ${width}, ${colorScheme}: ${problem}`));
        await keepPicture(`${kind.replaceAll(/\W+/g, '-')}-${width}-${colorScheme}`, async () => {
          const { data } = await session.send('Page.captureScreenshot');
          return Buffer.from(data, 'base64');
        });
      }
    }
  }
  expect(problems).toEqual([]);
});

/** Of each route one page that links lead to from Overview, for each set of names in its query. */
async function listPages(dashboard: OpenedDashboard): Promise<ReadonlyMap<string, string>> {
  const owner = await dashboard.signIn('owner');
  const pages = new Map<string, string>();
  const addresses = new Map([['overview ', '/dashboard/overview']]);
  for (const [kind, address] of addresses) {
    const { headers, body, statusCode } = await owner.get(address);
    if (statusCode !== 200 || 'content-disposition' in headers) continue;
    pages.set(kind, address);
    for (const [, link = ''] of body.matchAll(/<a [^>]*href="([^"]*)"/g)) {
      const { pathname, search, searchParams } = new URL(decodeHtml(link), `http://dashboard${address}`);
      const route = pathname.replace('/dashboard/', '').replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id');
      const [name = ''] = [...searchParams.keys()].filter((one) => one !== 'before');
      if (pathname.startsWith('/dashboard/') && !addresses.has(`${route} ${name}`))
        addresses.set(`${route} ${name}`, pathname + search);
    }
  }
  return pages;
}
